internal import ArgumentParser
internal import ControlAPI
internal import JSONText
internal import SyncModel

struct FavouriteExportCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a person's favourites into a file of JSON, or a property list.",
        discussion: "A dictionary of films, each with true, as apps keep it. A file that is there already is replaced.")

    @OptionGroup var export: ExportOptions
    @OptionGroup var person: PersonOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let films = try await session.favouriteFilms(of: try await session.person(person))
        let value = JSONValue.object(Dictionary(films.map { ($0, true) }) { first, _ in first })
        try export.write(value, session.output)
    }
}

struct FavouriteImportCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take over favourites from a file of JSON, or a property list.",
        discussion: """
            A dictionary of films, each with true or false: true makes it a favourite, false ends that. An id has to be \
            whole. What is no film, and what nobody can tell the title of, is left out and named; the exit code is 65 \
            then. Where the catalog could not be asked, it is that failure's: import the file once more.
            """)

    @Argument(help: "The file; - is standard input.")
    var file: String

    @OptionGroup var personal: PersonalEditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let person = try await session.person(personal.who)
        let wanted = try FavouriteImportCommand.marks(in: try PropertyFile.read(file))
        let target = try await session.editTarget(personal.append.journal)
        var take = FavouriteTake(
            session: session, target: target, person: person, present: try await session.favouriteFilms(of: person))
        for (film, isFavourite) in wanted.sorted(by: { $0.key < $1.key }) {
            try await take.add(film, isFavourite)
        }
        try await session.append(take.edits, by: person, personal.append, to: target)
        if let failure = take.failure { throw failure }
    }

    /// How some programs write a truth.
    private static let numbers: [JSONValue: Bool] = [.integer(0): false, .integer(1): true]

    /// The films of the file, and whether each is a favourite.
    static func marks(in value: JSONValue) throws(CommandFailure) -> [String: Bool] {
        guard let members = value.members else {
            throw CommandFailure(.badData, "the file holds \(value.kind), not a dictionary of films")
        }
        var marks: [String: Bool] = [:]
        for (film, mark) in members {
            guard let isFavourite = mark.truth ?? numbers[mark] else {
                throw CommandFailure(.badData, "film \(film) has \(mark.kind), not true or false")
            }
            marks[film] = isFavourite
        }
        return marks
    }
}
