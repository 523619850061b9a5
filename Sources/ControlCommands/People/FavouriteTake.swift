internal import ControlAPI
internal import SyncModel

/// The marks of a file on their way to be somebody's favourites: what can't be told of one film holds up no other.
struct FavouriteTake {
    let session: Session
    let target: EditTarget
    let person: String
    /// What stands for the person's favourites in keys.
    let present: Set<String>
    private(set) var edits: [JournalEdit] = []

    /// The films that are favourites by these edits, and those that are none any more.
    private var made: Set<String> = []
    private var ended: Set<String> = []
    private var leftOut: [String] = []
    /// Why a catalog could not be asked, by its name: it is not asked about other films then.
    private var silent: [String: CommandFailure] = [:]
    private var passing: CommandFailure?

    init(session: Session, target: EditTarget, person: String, present: Set<String>) {
        self.session = session
        self.target = target
        self.person = person
        self.present = present
    }

    /// What to say of the films that were left out; nil where none were.
    var failure: CommandFailure? {
        guard !leftOut.isEmpty else { return nil }
        let films = leftOut.map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: ", ")
        if let passing { return CommandFailure(passing.code, "\(passing.message); left out were \(films)") }
        let reason = "nobody can tell which films these are, or what they are called"
        return CommandFailure(.badData, "\(reason), and they were left out: \(films)")
    }

    /// Takes one mark over. What stands there as it is named, or is as it should be, needs nobody to tell what it is.
    mutating func add(_ text: String, _ isFavourite: Bool) async throws {
        let named = CatalogItemName(text)?.film ?? text
        if present.contains(named) {
            if !isFavourite { end(await session.completed(FilmReference(key: named)).keys.filter(present.contains)) }
            return
        }
        do {
            let film = try await film(text)
            let own = film.keys.filter(present.contains)
            if isFavourite {
                guard own.isEmpty, !made.contains(film.key) else { return }
                try await make(film)
            } else {
                end(own)
            }
        } catch let failure as CommandFailure where FavouriteTake.ofOneFilm.contains(failure.code) {
            // What nobody knows is no favourite either; what can't be read may be one.
            if isFavourite || failure.code != .missing { leftOut.append(text) }
            if FavouriteTake.isPassing(failure), passing == nil { passing = failure }
        }
    }

    /// What may be wrong with one film, while others can be taken over.
    private static let ofOneFilm: Set<CommandFailure.Code> = [.usage, .badData, .missing, .tryAgain, .notAllowed]

    /// Whether a catalog may say more later, or with another key.
    private static func isPassing(_ failure: CommandFailure) -> Bool {
        failure.code == .tryAgain || failure.code == .notAllowed
    }

    private mutating func film(_ text: String) async throws -> FilmReference {
        let session = session
        guard let catalog = CatalogItemName(text)?.catalog else {
            return await session.completed(try await session.film(text, isExact: true))
        }
        return try await asking(catalog) { try await session.film(text) }
    }

    private mutating func end(_ films: [String]) {
        for film in films where ended.insert(film).inserted {
            edits.append(JournalEdit(removingFavourite: film, of: person))
        }
    }

    private mutating func make(_ film: FilmReference) async throws {
        var title = film.title
        if title == nil {
            let session = session
            title = try await asking("tmdb") { try await session.titleInCatalog(of: film) }
        }
        guard let title else { throw CommandFailure(.missing, "nobody can tell what \(film.key) is called") }
        edits.append(try await session.favourite(film, called: title, person, target))
        made.insert(film.key)
    }

    private mutating func asking<Answer: Sendable>(
        _ catalog: String, _ body: () async throws -> Answer
    ) async throws -> Answer {
        if let failure = silent[catalog] { throw failure }
        do {
            return try await body()
        } catch let failure as CommandFailure where FavouriteTake.isPassing(failure) {
            silent[catalog] = failure
            throw failure
        }
    }
}
