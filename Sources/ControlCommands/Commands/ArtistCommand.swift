internal import ArgumentParser
internal import ControlAPI
internal import SyncModel

struct ArtistCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "artist", abstract: "Search a catalog for artists, save them, and look at those that are saved.",
        subcommands: [
            ArtistSearchCommand.self, ArtistSaveCommand.self, ArtistShowCommand.self, ArtistExportCommand.self,
            ArtistImportCommand.self,
        ]
    )

    static let collection = "artists"
    static let collectionName = CollectionName("artists")
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

struct ArtistShowCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a saved artist; one that is not saved is searched for.")

    @Argument(help: "The artist's name, or id, which may be shortened; a name counts first.")
    var name: [String]

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let text = name.joined(separator: " ")
        let collection = ArtistCommand.collectionName
        let schema = try await session.shownSchema(of: collection)
        let filter = RecordFilter([.init(schema.titleField, .contains, text)])
        let found: [RecordReply] = try await session.client.all(
            "\(ControlRoute.records)/\(collection)", ["where": filter.description])
        let called = found.filter { $0.fields[schema.titleField]?.text?.lowercased() == text.lowercased() }
        // A name comes first: ABBA and 311 read as the beginnings of ids.
        var named = called.count == 1 ? called.first : nil
        if called.isEmpty, let prefix = try? RecordPrefix(text) {
            named = try? await session.client.record(prefix, in: collection)
        }
        if let record = named ?? found.first, named != nil || found.count == 1 {
            return try session.output.show(RecordAnswer(reply: record, schema: schema))
        }
        guard found.isEmpty else {
            return try session.output.show(RecordsAnswer(schema: schema, records: found, order: RecordOrder()))
        }
        Output.note("no artist called '\(text)' is saved: this is what a catalog finds")
        let catalog = try await session.catalog(nil, for: ArtistCommand.collection) { $0.searches }
        try await SearchCommand.search(text, year: nil, in: catalog, session)
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
