internal import ArgumentParser
internal import ControlAPI

struct WhyCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain a record: who set each field, and what it waits for."
    )

    @Argument(help: "The id of the record; a unique prefix is enough.")
    var id: String

    @Option(help: ArgumentHelp("The collection of the record.", valueName: "name"))
    var collection = CollectionName.default

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let prefix = try await session.recordPrefix(id, in: collection)
        let reply: WhyReply = try await session.client.get("\(ControlRoute.why)/\(collection)/\(prefix.text)")
        let schema = try await session.shownSchema(of: collection)
        try session.output.show(WhyAnswer(reply: reply, schema: schema, now: .now()))
    }
}
