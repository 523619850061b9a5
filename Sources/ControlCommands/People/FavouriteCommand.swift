internal import ArgumentParser
internal import ControlAPI
internal import JSONText
internal import SyncModel

struct FavouriteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourite", abstract: "The films that a person likes best.",
        discussion: """
            A film is a number at TMDB, an item of a catalog such as tmdb:348, or the id of a movie of the library. The \
            collection favourites has to be enabled.
            """,
        subcommands: [
            FavouriteAddCommand.self, FavouriteRemoveCommand.self, FavouriteToggleCommand.self,
            FavouriteListCommand.self, FavouriteExportCommand.self, FavouriteImportCommand.self,
        ]
    )

    static let collection = CollectionName("favourites")
}

struct FavouriteAddCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Make films favourites.")

    @Argument(help: "The films.")
    var films: [String]

    @Option(help: "The title, where neither the library nor a catalog can tell it.")
    var title: String?

    @OptionGroup var personal: PersonalEditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let person = try await session.person(personal.who)
        let target = try await session.editTarget(personal.append.journal)
        // Where none are kept, a title would not help.
        _ = try await session.schema(of: FavouriteCommand.collection, target)
        var edits: [JournalEdit] = []
        for text in films {
            let film = try await session.film(text)
            edits.append(try await session.favourite(film, text, title, person, target))
        }
        try await session.append(edits, by: person, personal.append, to: target)
    }
}

struct FavouriteRemoveCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "remove", abstract: "Make films favourites no more.")

    @Argument(help: "The films.")
    var films: [String]

    @OptionGroup var personal: PersonalEditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let person = try await session.person(personal.who)
        let target = try await session.editTarget(personal.append.journal)
        var edits: [JournalEdit] = []
        for film in films {
            edits.append(
                try await session.removal(ofFavourite: try await session.film(film), film, of: person))
        }
        try await session.append(edits, by: person, personal.append, to: target)
    }
}

struct FavouriteToggleCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle", abstract: "Make films favourites, or no more where they are.")

    @Argument(help: "The films.")
    var films: [String]

    @OptionGroup var personal: PersonalEditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let person = try await session.person(personal.who)
        let target = try await session.editTarget(personal.append.journal)
        var edits: [JournalEdit] = []
        for text in films {
            let film = try await session.film(text)
            if let record = try await session.favourite(film.key, of: person) {
                edits.append(JournalEdit(.delete, in: FavouriteCommand.collection, try RecordPrefix(record.id)))
            } else {
                edits.append(try await session.favourite(film, text, nil, person, target))
            }
        }
        try await session.append(edits, by: person, personal.append, to: target)
    }
}

struct FavouriteListCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List a person's favourites.")

    @OptionGroup var person: PersonOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let page = try await session.favourites(of: try await session.person(person))
        try session.output.show(FavouritesAnswer(reply: page, now: .now()))
    }
}

extension Session {
    func favourites(of person: String) async throws -> Page<FavouriteReply> {
        try await client.get(ControlRoute.favourites, ["person": person])
    }

    /// What stands for the films that a person likes best.
    func favouriteFilms(of person: String) async throws -> Set<String> {
        Set(try await favourites(of: person).items.map(\.film))
    }

    /// The same, for marks in a list: none where no favourites are kept.
    func markedFilms(of person: String) async throws -> Set<String> {
        do {
            return try await favouriteFilms(of: person)
        } catch let failure as CommandFailure where failure.word == "unknownCollection" {
            return []
        }
    }

    /// - Parameter text: how somebody named the film.
    fileprivate func favourite(
        _ film: FilmReference, _ text: String, _ given: String?, _ person: String, _ target: EditTarget
    ) async throws -> JournalEdit {
        var title = given
        if title == nil { title = try await self.title(of: film) }
        guard let title else {
            let advice = "'moviesync favourite add \(text) --title TITLE' says it"
            throw CommandFailure(.usage, "nobody can tell what \(text) is called: \(advice)")
        }
        return try await favourite(film, called: title, person, target)
    }

    /// The edit that makes a film somebody's favourite.
    func favourite(
        _ film: FilmReference, called title: String, _ person: String, _ target: EditTarget
    ) async throws -> JournalEdit {
        let fields = PersonFields.favourite(of: person, film: film.key, title: title, at: .now())
        return try await creation(of: fields, in: FavouriteCommand.collection, target)
    }

    /// The edit after which a film is nobody's favourite; `text` is how it was named.
    func removal(ofFavourite film: FilmReference, _ text: String, of person: String) async throws -> JournalEdit {
        guard let record = try await favourite(film.key, of: person) else {
            throw CommandFailure(.missing, "\(text) is no favourite of \(person)")
        }
        return JournalEdit(.delete, in: FavouriteCommand.collection, try RecordPrefix(record.id))
    }

    fileprivate func favourite(_ key: String, of person: String) async throws -> RecordReply? {
        try await record(withKey: "\(person)/\(key)", in: FavouriteCommand.collection)
    }
}
