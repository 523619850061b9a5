internal import ArgumentParser
internal import ControlAPI

struct WhyCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain the state of a record: what it waits for, and its conflicts."
    )

    @Argument(help: "The id of the record; a unique prefix is enough.")
    var id: String

    @Option(help: ArgumentHelp("The collection of the record.", valueName: "name"))
    var collection = CollectionName.default

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let client = session.client
        let record = try await client.record(try RecordPrefix(id), in: collection)
        let holds: [HoldReply] = try await client.all(ControlRoute.holds)
        let quarantine: [QuarantineReply] = try await client.all(ControlRoute.quarantine)
        let conflicts: [ConflictReply] = try await client.all(ControlRoute.conflicts)
        let answer = WhyAnswer(
            record: record, schema: try await session.shownSchema(of: collection),
            holds: holds.filter { $0.collection == nil || $0.collection == record.collection },
            quarantine: quarantine.filter { $0.record?.uppercased() == record.id },
            conflicts: conflicts.filter { $0.record.uppercased() == record.id && $0.collection == record.collection },
            now: .now()
        )
        try session.output.show(answer)
    }
}
