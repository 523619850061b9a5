internal import ArgumentParser
internal import SyncModel

struct SetCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change fields of a record.",
        discussion: "A value is JSON where it is JSON (true, 1979, null), else a string; null removes the field."
    )

    @Argument(help: "The id of the record, or its beginning.")
    var id: String

    @Argument(help: ArgumentHelp("The fields.", valueName: "name=value"))
    var fields: [String]

    @OptionGroup var edit: EditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let fields = fields
        try await session.append(.update, of: [id], edit) { try [String: JSONValue](assignments: fields, in: $0) }
    }
}
