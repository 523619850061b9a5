internal import ControlAPI
internal import OperatingSystem

/// The journal that edits go to, and what is known of the daemon that reads it.
struct EditTarget: Sendable {
    var journal: String
    /// What the daemon says; nil where none answers.
    var status: StatusSnapshot?
    /// Why nothing could be asked of a daemon.
    var silence: String?

    /// Whether the daemon that answers reads this journal.
    var isRead: Bool {
        guard let path = status?.journal.path else { return false }
        if path == journal { return true }
        if let own = try? FileIdentity.of(path: journal), let other = try? FileIdentity.of(path: path) {
            return own.isSameFile(as: other)
        }
        // Nobody may have appended anything yet: then it is the same name in the same folder, however that is written.
        guard Folder.name(of: journal) == Folder.name(of: path),
            let own = try? FileIdentity.of(path: Folder.containing(journal)),
            let other = try? FileIdentity.of(path: Folder.containing(path))
        else { return false }
        return own.isSameFile(as: other)
    }

    /// What to tell somebody whose edit was appended without being checked; nil where it was.
    var caution: String? {
        if let silence { return "the edit is in \(journal), unchecked: \(silence)" }
        return isRead ? nil : "the edit is in \(journal), unchecked: \(otherJournal)"
    }

    var otherJournal: String { "the daemon that answers reads \(status?.journal.path ?? "another journal")" }
}

extension Session {
    /// How long an edit waits for what only the daemon knows.
    static let editPatience = SignOfLife.patience

    /// The journal to append to: as chosen, else where the daemon says, else where its configuration says.
    ///
    /// - Throws: why no daemon answers, where nobody else can say which journal it reads.
    func editTarget(_ chosen: String?) async throws -> EditTarget {
        var target = EditTarget(journal: paths.journal(chosen: chosen) ?? "")
        do {
            // An edit must not wait for a daemon that hangs.
            target.status = try await client.status(patience: Session.editPatience)
        } catch {
            target.silence = CommandFailure.message(of: error)
            await noteProblems()
            if target.journal.isEmpty { target.journal = try await journalWithoutDaemon(error) }
        }
        if target.journal.isEmpty, let path = target.status?.journal.path { target.journal = path }
        return target
    }

    /// - Parameter error: why the daemon does not answer.
    private func journalWithoutDaemon(_ error: any Error) async throws -> String {
        if let journal = await paths.journalWithoutDaemon() { return journal }
        // Any journal that could be guessed is that of another library.
        var failure = (error as? CommandFailure) ?? CommandFailure(.internalFault, "\(error)")
        failure.message += "; nothing else says which journal that daemon reads: name it with --journal"
        throw failure
    }

    /// What is wrong with the configuration that is read in the daemon's place.
    private func noteProblems() async {
        guard let problem = await paths.withoutDaemon()?.problem else { return }
        Output.note("the configuration is wrong: \(problem); 'moviesyncd check-config' says all")
    }
}
