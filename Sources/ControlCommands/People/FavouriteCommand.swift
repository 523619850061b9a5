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
        guard title == nil || films.count == 1 else {
            throw CommandFailure(.usage, "--title is what one film is called: name one film")
        }
        let person = try await session.person(personal.who)
        let target = try await session.editTarget(personal.append.journal)
        // Where none are kept, a title would not help.
        _ = try await session.schema(of: FavouriteCommand.collection, target)
        var edits: [JournalEdit] = []
        for text in films {
            let film = await session.completed(try await session.film(text))
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
            let own = try await session.records(of: film, in: FavouriteCommand.collection) { "\(person)/\($0)" }
            guard !own.isEmpty else { throw CommandFailure(.missing, "\(film) is no favourite of \(person)") }
            edits += try own.map { try JournalEdit(removing: $0.id) }
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
            let own = try await session.records(of: text, in: FavouriteCommand.collection) { "\(person)/\($0)" }
            if own.isEmpty {
                let film = await session.completed(try await session.film(text))
                edits.append(try await session.favourite(film, text, nil, person, target))
            } else {
                edits += try own.map { try JournalEdit(removing: $0.id) }
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
        // One that is there already keeps its key.
        var film = film
        if target.status != nil, !film.others.isEmpty {
            let own = try await records(of: film, in: FavouriteCommand.collection) { "\(person)/\($0)" }
            film.key = own.first?.fields["film"]?.text ?? film.key
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
}

extension JournalEdit {
    /// The end of a favourite, which is this record.
    fileprivate init(removing record: String) throws(CommandFailure) {
        self.init(.delete, in: FavouriteCommand.collection, try RecordPrefix(record))
    }

    /// The end of somebody's favourite; `film` is what stands for it in its key.
    init(removingFavourite film: String, of person: String) {
        let id = RecordID.named("\(person)/\(film)", in: FavouriteCommand.collection.id)
        self.init(.delete, in: FavouriteCommand.collection, RecordPrefix(of: id))
    }
}
