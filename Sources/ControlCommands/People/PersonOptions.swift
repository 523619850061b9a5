internal import ArgumentParser
internal import ControlAPI

/// Who does what a command does.
struct PersonOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "Who you are: the name of a session, or your user's uid in the database. Without it, who you have logged in as.",
            valueName: "person"))
    var given: String?
}

/// What every command takes by which somebody says something.
struct PersonalEditOptions: ParsableArguments {
    @OptionGroup var who: PersonOptions
    @OptionGroup var append: AppendOptions
}

extension Session {
    /// The `uid` of whoever does what a command does: as they say, else as they have logged in, else that of nobody in
    /// particular. What no daemon can tell is taken as it was said.
    func person(_ options: PersonOptions) async throws -> String { try await person(called: options.given) }

    /// The same of whoever is called so: a session's name, or a `uid`; nil for whoever runs the command.
    func person(called name: String?) async throws -> String {
        guard let reply = try await session(called: name) else { return name ?? ControlRoute.localPerson }
        guard reply.uid.isEmpty else { return reply.uid }
        let who = reply.name ?? ""
        guard reply.state != .ended else {
            throw CommandFailure(.notAllowed, "\(who) has to sign in again: \(reply.reason ?? "")")
        }
        throw CommandFailure(.tryAgain, ControlError.notAskedYet(who).message)
    }

    /// Nil where nobody has signed in so, or nobody can tell.
    private func session(called name: String?) async throws -> SessionReply? {
        do {
            return try await client.get(
                ControlRoute.session, name.map { ["name": $0] } ?? [:], patience: Session.editPatience)
        } catch let failure as CommandFailure
            where failure.code == .notRunning || failure.code == .notAllowed
            || ["unknownSession", "unknownRoute"].contains(failure.word)
        {
            return nil
        }
    }

    /// Appends what a person says.
    func append(
        _ edits: [JournalEdit], by person: String, _ options: AppendOptions, to target: EditTarget
    ) async throws {
        let signed = edits.map { edit in
            var edit = edit
            edit.person = person
            return edit
        }
        try await append(signed, options, to: target)
    }
}
