internal import ArgumentParser
internal import ControlAPI

struct ArtistCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "artist", abstract: "Search a catalog for artists, and save them.",
        subcommands: [ArtistSearchCommand.self, ArtistSaveCommand.self]
    )

    static let collection = "artists"
}

struct ArtistSearchCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "search", abstract: "Search for an artist.")

    @Argument(help: "The name of the artist.")
    var name: [String]

    @Option(help: ArgumentHelp("The catalog to ask; 'moviesync catalog' shows them.", valueName: "name"))
    var catalog: String?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let catalog = try await session.catalog(catalog, for: ArtistCommand.collection) { $0.searches }
        try await SearchCommand.search(name.joined(separator: " "), year: nil, in: catalog, session)
    }
}

struct ArtistSaveCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save rows of the last search for artists, and print their ids.")

    @Argument(help: "The numbers of the rows, such as 1 3 5-7.")
    var rows: [String]

    @OptionGroup var saving: SaveOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try await session.save(try RowNumbers.read(rows), collection: ArtistCommand.collection, saving)
    }
}
