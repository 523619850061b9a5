internal import ArgumentParser
internal import SyncModel

struct RemoveCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "rm", abstract: "Delete records on all nodes.")

    @Argument(help: "The ids of the records; a unique prefix is enough.")
    var ids: [String]

    @OptionGroup var edit: EditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try await session.append(.delete, of: ids, edit)
    }
}
