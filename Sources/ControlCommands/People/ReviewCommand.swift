internal import ArgumentParser
internal import ControlAPI
internal import JSONText
internal import SyncModel

struct ReviewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "review", abstract: "What people say about films.",
        discussion: """
            Everybody has one review of a film, and one vote on each review of others. A film is a number at TMDB, an item \
            of a catalog such as tmdb:348, or the id of a movie of the library. The collections reviews and votes have to \
            be enabled.
            """,
        subcommands: [
            ReviewAddCommand.self, ReviewEditCommand.self, ReviewDeleteCommand.self, ReviewListCommand.self,
            ReviewLikeCommand.self, ReviewDislikeCommand.self, ReviewClearCommand.self,
        ]
    )

    static let collection = CollectionName("reviews")
    static let votes = CollectionName("votes")
}

struct ReviewAddCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Review a film.")

    @Argument(help: "The film.")
    var film: String

    @Option(help: "What you say, up to 5,000 characters.")
    var text: String

    @Option(help: "From 1 to 10.")
    var rating: Int64?

    @Option(help: "What you are called beside the review.")
    var name: String?

    @OptionGroup var personal: PersonalEditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let person = try await session.person(personal.who)
        let target = try await session.editTarget(personal.append.journal)
        let named = try await session.film(film)
        if target.status != nil, try await !session.reviews(of: named, by: person).isEmpty {
            throw CommandFailure(
                .badData, "\(person) has a review of \(film): change it with 'moviesync review edit \(film)'")
        }
        let fields = PersonFields.review(
            of: named.key, by: person, text: text, rating: rating, name: name, at: .now())
        let edit = try await session.creation(of: fields, in: ReviewCommand.collection, target)
        try await session.append([edit], by: person, personal.append, to: target)
    }
}

struct ReviewEditCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a review; its votes stay.")

    @Argument(help: "The film.")
    var film: String

    @Option(help: "What you say, up to 5,000 characters.")
    var text: String?

    @Option(help: "From 1 to 10.")
    var rating: Int64?

    @OptionGroup var personal: PersonalEditOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if text == nil, rating == nil { throw ValidationError("Give --text or --rating.") }
    }

    func perform(_ session: Session) async throws {
        let person = try await session.person(personal.who)
        let target = try await session.editTarget(personal.append.journal)
        let record = try await session.ownReviews(film, by: person)[0]
        let fields = PersonFields.edit(text: text, rating: rating, at: .now())
        let edit = JournalEdit(.update, in: ReviewCommand.collection, try RecordPrefix(record.id), fields: fields)
        try await session.append([edit], by: person, personal.append, to: target)
    }
}

struct ReviewDeleteCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "delete", abstract: "Delete a review.")

    @Argument(help: "The film.")
    var film: String

    @OptionGroup var personal: PersonalEditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let person = try await session.person(personal.who)
        let target = try await session.editTarget(personal.append.journal)
        let edits = try await session.ownReviews(film, by: person).map { review in
            JournalEdit(.delete, in: ReviewCommand.collection, try RecordPrefix(review.id))
        }
        try await session.append(edits, by: person, personal.append, to: target)
    }
}

struct ReviewListCommand: ControlCommand {
    enum Order: String, ExpressibleByArgument, CaseIterable {
        case likes, new
    }

    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the reviews of a film, or the films that have some.")

    @Argument(help: "The film; without it, all that have reviews are listed.")
    var film: String?

    @Option(help: "Which come first.")
    var sort = Order.likes

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        guard let film else { return try await listFilms(session) }
        var page = try await session.reviews(of: film)
        if sort == .new { page.items.sort { $0.at?.milliseconds ?? 0 > $1.at?.milliseconds ?? 0 } }
        try session.output.show(ReviewsAnswer(reply: page, now: .now()))
    }

    private func listFilms(_ session: Session) async throws {
        let page: Page<FilmReviewsReply> = try await session.client.get(ControlRoute.reviews)
        var titles: [String: String] = [:]
        if !session.output.json {
            try await session.client.recordPages(of: .default, where: .all) { records in
                for film in records.values() ?? [] {
                    for key in PersonFields.films(film) { titles[key] = film.fields["title"]?.text }
                }
                return true
            }
        }
        try session.output.show(ReviewedFilmsAnswer(reply: page, titles: titles))
    }
}

extension Session {
    /// Somebody's reviews of a film: more than one where it was named in several ways.
    func reviews(of film: FilmReference, by person: String) async throws -> [RecordReply] {
        try await records(of: film, in: ReviewCommand.collection) { "\($0)/\(person)" }
    }

    /// All reviews of the film that a text names, under all of its keys; a catalog is asked only where none stands
    /// under the name that it has there.
    fileprivate func reviews(of text: String) async throws -> Page<ReviewReply> {
        func reviews(under key: String) async throws -> [ReviewReply] {
            let page: Page<ReviewReply> = try await client.get("\(ControlRoute.reviews)/\(key.pathPart)")
            return page.items
        }
        if let name = CatalogItemName(text) {
            var own: [ReviewReply] = []
            for key in await completed(FilmReference(key: name.film)).keys { own += try await reviews(under: key) }
            if !own.isEmpty { return Page(items: ReviewReply.mostLikedFirst(own)) }
        }
        var found: [ReviewReply] = []
        for key in await completed(try await film(text)).keys { found += try await reviews(under: key) }
        return Page(items: ReviewReply.mostLikedFirst(found))
    }

    /// At least one.
    fileprivate func ownReviews(_ film: String, by person: String) async throws -> [RecordReply] {
        let own = try await records(of: film, in: ReviewCommand.collection) { "\($0)/\(person)" }
        guard !own.isEmpty else { throw CommandFailure(.missing, "\(person) has no review of \(film)") }
        return own
    }
}
