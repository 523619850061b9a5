internal import ArgumentParser
internal import SyncModel

struct SetCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change fields of a record.",
        discussion: """
            Values are JSON where they are valid JSON (true, 1979, null), else strings; null removes a field. A field that \
            holds text takes nothing but null and strings as JSON: title=1984 is text, and so is title='"null"'.
            """)

    @Argument(help: "The id of the record; a unique prefix is enough.")
    var id: String

    @Argument(help: ArgumentHelp("The new values.", valueName: "name=value"))
    var fields: [String]

    @OptionGroup var edit: EditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let fields = fields
        try await session.append(.update, of: [id], edit) { schema in
            let values = try [String: JSONValue](assignments: fields, in: schema)
            try values.checkName(in: schema)
            return values
        }
    }
}
