internal import ArgumentParser
internal import SyncModel

struct WatchedCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "watched", abstract: "Mark movies as watched.")

    @Argument(help: "The ids of the movies; a unique prefix is enough.")
    var ids: [String]

    @OptionGroup var edit: EditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try await session.append(.update, of: ids, edit) { try WatchedField.set(true, in: $0) }
    }
}
