internal import ArgumentParser
internal import ControlAPI

struct HistoryCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Show what this node has seen of a record: who changed what, and when.")

    @Argument(help: "The id of the record; a unique prefix is enough.")
    var id: String

    @Option(help: ArgumentHelp("The collection of the record.", valueName: "name"))
    var collection = CollectionName.default

    @Option(help: "The maximum number of entries.")
    var limit = 100

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...ControlRoute.maxLimit).contains(limit) else {
            throw ValidationError("--limit must be from 1 to \(ControlRoute.maxLimit).")
        }
    }

    func perform(_ session: Session) async throws {
        let prefix = try await session.recordPrefix(id, in: collection)
        let reply: HistoryReply = try await session.client.get(
            "\(ControlRoute.history)/\(collection)/\(prefix.text)", ["limit": String(limit)])
        try session.output.show(HistoryAnswer(reply: reply))
    }
}
