internal import ArgumentParser
internal import ControlAPI
internal import SyncModel

struct TraceCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Follow edits from their lines of the journal to the remote.",
        discussion: """
            Shows the last 20 lines of the journal that are about the record, or the one with this opID, and what has \
            become of each: unread, pending, held, quarantined, refused, dropped or confirmed, which is when the remote \
            has it.
            """
    )

    @Argument(help: "The id or key of a record, or as much of the id as is clear; or the opID of a line.")
    var id: String

    @Option(help: ArgumentHelp("The journal to look in (default: the daemon's).", valueName: "path"))
    var journal: String?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        var search = JournalSearch(for: id, await session.keyTemplates())
        let file = try await session.readJournal(journal) { search.read($0) }
        guard !search.lines.isEmpty else {
            throw CommandFailure(
                .missing,
                "no line of \(file) is about '\(id)': it may have been rotated away, see 'moviesync history \(id)', or "
                    + "name a rotated file with --journal")
        }
        // Records of more collections may have one id: each line says of which it is.
        let ids = Set(search.lines.map(\.operation.key.id))
        guard ids.count == 1 else {
            let names = ids.map(\.description).sorted().joined(separator: ", ")
            let isOpID = search.lines.allSatisfy { $0.operation.opID == id }
            let words =
                isOpID
                ? "the lines with the opID '\(id)' are about several records (\(names)): trace one of these"
                : "several records begin with '\(id)' (\(names)): give more of the id"
            throw CommandFailure(.badData, words)
        }
        var edits: [TraceAnswer.Edit] = []
        for line in search.lines { edits.append(TraceAnswer.Edit(line, try await fate(of: line, session))) }
        try session.output.show(TraceAnswer(reply: .init(file: file, found: search.found, items: edits)))
    }

    /// What has become of a line; nil where it has no `opID` by which the daemon could know it.
    private func fate(of line: JournalSearch.Line, _ session: Session) async throws -> EditReply? {
        guard let opID = line.operation.opID else { return nil }
        let key = line.operation.key
        return try await session.client.get("\(ControlRoute.edits)/\(key.collection.name)/\(key.id)", ["op": opID])
    }
}
