internal import ArgumentParser
internal import ControlAPI
internal import JSONText
internal import SyncModel

/// What every command takes that is about somebody's review.
struct VoteOptions: ParsableArguments {
    @Argument(help: "The film.")
    var film: String

    @Argument(help: "Whose review: the uid, or the name of a session.")
    var author: String

    @OptionGroup var personal: PersonalEditOptions
}

struct ReviewLikeCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "like", abstract: "Like somebody's review.")

    @OptionGroup var vote: VoteOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws { try await session.vote(1, vote) }
}

struct ReviewDislikeCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "dislike", abstract: "Dislike somebody's review.")

    @OptionGroup var vote: VoteOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws { try await session.vote(-1, vote) }
}

struct ReviewClearCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear", abstract: "Take back a vote on somebody's review.")

    @OptionGroup var vote: VoteOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let target = try await session.editTarget(vote.personal.append.journal)
        let voter = try await session.person(vote.personal.who)
        let author = try await session.person(called: vote.author)
        let own = try await session.records(of: vote.film, in: ReviewCommand.votes) { "\($0)/\(author)/\(voter)" }
        guard !own.isEmpty else {
            throw CommandFailure(.missing, "\(voter) has no vote on \(vote.author)'s review of \(vote.film)")
        }
        let edits = try own.map { JournalEdit(.delete, in: ReviewCommand.votes, try RecordPrefix($0.id)) }
        try await session.append(edits, by: voter, vote.personal.append, to: target)
    }
}

extension Session {
    fileprivate func vote(_ value: Int64, _ vote: VoteOptions) async throws {
        let voter = try await person(vote.personal.who)
        let author = try await person(called: vote.author)
        guard voter != author else { throw CommandFailure(.usage, "nobody votes on an own review") }
        let target = try await editTarget(vote.personal.append.journal)
        let key = try await reviewed(vote.film, by: author, isKnown: target.status != nil)
        guard let key else { throw CommandFailure(.missing, "\(vote.author) has no review of \(vote.film)") }
        let fields = PersonFields.vote(value, on: author, of: key, by: voter, at: .now())
        try await append(
            [try await creation(of: fields, in: ReviewCommand.votes, target)], by: voter, vote.personal.append,
            to: target)
    }

    /// What stands for a film in the key of somebody's review of it; nil where there is none.
    ///
    /// - Parameter isKnown: whether a daemon can tell; else a review is taken for granted.
    private func reviewed(_ film: String, by author: String, isKnown: Bool) async throws -> String? {
        guard isKnown else { return try await self.film(film).key }
        let reviews = try await records(of: film, in: ReviewCommand.collection) { "\($0)/\(author)" }
        return reviews.first?.fields["film"]?.text
    }
}
