internal import ControlAPI
internal import OperatingSystem
internal import SyncModel
internal import SystemPackage

extension Session {
    /// Appends the same edit of each of the records, whose ids may be shortened; `fields` are those of its collection.
    func append(
        _ kind: Operation.Kind, of ids: [String], _ options: EditOptions,
        fields: (CollectionSchema) throws -> [String: JSONValue] = { _ in [:] }
    ) async throws {
        let target = try await editTarget(options.journal)
        let fields = try fields(try await schema(of: options.collection, target))
        var edits: [JournalEdit] = []
        for id in ids {
            let record = try await editable(id, in: options.collection, target)
            edits.append(JournalEdit(kind, in: options.collection, record.id, fields: fields))
        }
        try await append(edits, options, to: target)
    }

    /// Appends the edits to the journal and shows their ids; the daemon need not run, unless they are waited for.
    func append(_ edits: [JournalEdit], _ options: EditOptions, to target: EditTarget) async throws {
        try await append(edits, options.append, to: target)
    }

    /// The same, for edits that know their collection.
    func append(_ edits: [JournalEdit], _ options: AppendOptions, to target: EditTarget) async throws {
        try await append(edits, to: target, waiting: options.waiting) {
            for edit in edits { try output.show(AppendedAnswer(reply: .init(id: edit.id.text, opID: edit.opID))) }
        }
    }

    /// Appends the edits to the journal, after `show` has told what will be there, and waits for them.
    ///
    /// The answer comes first: what is saved and then fails, as the output is full or closed, would be saved twice by
    /// whoever tries again. An answer whose edits can't be appended is followed by an error and its code.
    func append(
        _ edits: [JournalEdit], to target: EditTarget, waiting wait: Duration?, _ show: () throws -> Void
    ) async throws {
        if wait != nil, target.status != nil, !target.isRead {
            throw CommandFailure(.usage, "--wait can't tell of \(target.journal): \(target.otherJournal)")
        }
        // One write for all: what one command deletes is weighed as a whole.
        let lines = try edits.map { try $0.line(at: .now()) }.joined(separator: [UInt8(ascii: "\n")])
        do {
            if !edits.isEmpty { try AppendingFile.check(target.journal) }
            try show()
        } catch let error as SystemError {
            throw CommandFailure(error)
        } catch let error as Errno {
            throw CommandFailure(.inputOutput, "nothing was saved: the output can't be written: \(error)")
        }
        guard !edits.isEmpty else { return }
        do throws(SystemError) {
            try AppendingFile.append(line: Array(lines), to: target.journal)
        } catch {
            throw CommandFailure(error)
        }
        guard let wait else {
            if let caution = target.caution { return Output.note(caution) }
            return try await checkTaken(edits)
        }
        try await self.wait(for: edits, wait)
    }

    /// The record that `text` stands for, where an edit of it can work; what the daemon can't tell is let through.
    private func editable(
        _ text: String, in collection: CollectionName, _ target: EditTarget
    ) async throws -> (id: RecordPrefix, reply: RecordReply?) {
        let prefix = try await recordPrefix(text, in: collection) { try await schema(of: collection, target) }
        guard target.isRead || !prefix.isWhole else { return (prefix, nil) }
        do {
            let record = try await client.record(prefix, in: collection)
            guard !record.deleted else {
                throw CommandFailure(
                    .missing, "\(collection) \(record.id) is deleted: 'moviesync history \(record.id)' says by whom")
            }
            return (try RecordPrefix(record.id), record)
        } catch let failure as CommandFailure where failure.word == "unknownRecord" && prefix.isWhole {
            guard target.status?.remote.stream != .live else { throw failure }
            Output.note("this node does not know \(prefix.text), and has not read all of the remote yet")
            return (prefix, nil)
        } catch let failure as CommandFailure where failure.code == .notRunning {
            // The daemon has ended since it told its state: what needs no answer goes on without one.
            guard prefix.isWhole else { throw failure.withNothingSaved }
            Output.note("\(prefix.text) is not checked: \(failure.message)")
            return (prefix, nil)
        }
    }

    /// The record for an edit that depends on what it has now.
    func edited(
        _ text: String, in collection: CollectionName, _ target: EditTarget
    ) async throws -> RecordReply {
        let found = try await editable(text, in: collection, target)
        if let reply = found.reply { return reply }
        do {
            return try await client.record(found.id, in: collection)
        } catch let failure as CommandFailure where failure.code == .notRunning {
            throw failure.withNothingSaved
        }
    }
}
