internal import ControlAPI
internal import OperatingSystem
internal import SyncModel

extension Session {
    /// How long an edit waits for what only the daemon knows.
    static let editPatience = Duration.seconds(2)

    /// Where the journal is: as chosen, else where the daemon says, else where it would be.
    func journalPath(_ chosen: String?) async -> String {
        let paths = DefaultPaths()
        if let path = paths.journal(chosen: chosen) { return path }
        // An edit must not wait for a daemon that hangs.
        if let status = try? await client.status(patience: Session.editPatience) { return status.journal.path }
        return paths.journalWithoutDaemon()
    }

    /// Appends the same edit of each of the records, whose ids may be shortened; `fields` are those of its collection.
    func append(
        _ kind: Operation.Kind, of ids: [String], _ options: EditOptions,
        fields: (CollectionSchema) throws -> [String: JSONValue] = { _ in [:] }
    ) async throws {
        let fields = try fields(try await schema(of: options.collection))
        var edits: [JournalEdit] = []
        for id in ids {
            let whole = try await recordID(id, in: options.collection)
            edits.append(JournalEdit(kind, in: options.collection, whole, fields: fields))
        }
        try await append(edits, options)
    }

    /// Appends the edits to the journal and shows their ids; the daemon need not run, unless they are waited for.
    func append(_ edits: [JournalEdit], _ options: EditOptions) async throws {
        try await write(edits, to: options.journal)
        for edit in edits { try output.show(AppendedAnswer(reply: .init(id: edit.id.text, opID: edit.opID))) }
        try await wait(for: edits, options.waiting)
    }

    /// Appends the edits to the journal, the chosen one or the daemon's.
    func write(_ edits: [JournalEdit], to journal: String?) async throws {
        let path = await journalPath(journal)
        // One write for all: what one command deletes is weighed as a whole.
        let lines = try edits.map { try $0.line(at: .now()) }.joined(separator: [UInt8(ascii: "\n")])
        do throws(SystemError) {
            try AppendingFile.append(line: Array(lines), to: path)
        } catch {
            throw CommandFailure(error)
        }
    }

    /// Waits until the remote has the edits; not at all for nil.
    func wait(for edits: [JournalEdit], _ wait: Duration?) async throws {
        guard let wait else { return }
        for edit in edits { try await self.wait(for: edit, wait) }
    }

    private func wait(for edit: JournalEdit, _ wait: Duration) async throws {
        let record = try await client.record(edit.id, in: edit.collection, wait: wait)
        guard record.pending else { return }
        let reason = record.reason ?? "see 'moviesync why \(edit.id.text.prefix(8))'"
        // The daemon's words for what only a person can end.
        let code: CommandFailure.Code =
            reason.hasPrefix("held (") ? .notAllowed : reason.hasPrefix("in quarantine (") ? .badData : .tryAgain
        throw CommandFailure(
            code,
            "the edit is in the journal, but the remote did not have it after \(wait.secondsText) s: \(reason)"
        )
    }
}
