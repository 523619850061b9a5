internal import ArgumentParser
internal import ControlAPI

struct ShowCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show all fields of a record.")

    @Argument(help: "The id of the record; a unique prefix is enough.")
    var id: String

    @Option(help: ArgumentHelp("The collection of the record.", valueName: "name"))
    var collection = CollectionName.default

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let record = try await session.client.record(try RecordPrefix(id), in: collection)
        try session.output.show(RecordAnswer(reply: record, schema: try await session.shownSchema(of: collection)))
    }
}
