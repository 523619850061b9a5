internal import ArgumentParser
internal import ControlAPI
internal import SyncModel

struct SearchCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search a catalog for what the library lacks; 'save' takes rows from it.",
        discussion: """
            What is found is held for 30 minutes. --more and --filter go on with it; --filter asks nobody. With --live \
            each line of standard input replaces the text, and an empty one goes back to what is shown at first.
            """
    )

    @Argument(help: "What to search for.")
    var text: [String] = []

    @Flag(help: "Show the next page of the last search.")
    var more = false

    @Option(help: ArgumentHelp("Show rows of the last search that hold this text.", valueName: "text"))
    var filter: String?

    @Flag(help: "Follow what is typed, line by line.")
    var live = false

    @Option(help: ArgumentHelp("The year of the film.", valueName: "year"))
    var year: Int?

    @Option(help: ArgumentHelp("The catalog to ask; 'moviesync catalog' shows them.", valueName: "name"))
    var catalog: String?

    @Option(help: ArgumentHelp("What is searched for.", valueName: "collection"))
    var collection = CollectionName.default

    @OptionGroup var person: PersonOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        let ways = [!text.isEmpty, more, filter != nil, live].filter(\.self).count
        guard ways == 1 else { throw ValidationError("Give one of: a text, --more, --filter, --live.") }
    }

    func perform(_ session: Session) async throws {
        if more {
            return try await session.show(
                session.client.post(
                    Session.latestSet + "/more", ["person": try await session.person(person)],
                    wait: Session.catalogPatience))
        }
        if let filter {
            let query = ["filter": filter, "limit": "1000", "person": try await session.person(person)]
            return try await session.show(session.client.get(Session.latestSet, query), isFiltered: true)
        }
        let name = try await session.catalog(catalog, for: collection.id.name) { $0.searches }
        if live { return try await LiveSession(session: session, catalog: name).run() }
        try await SearchCommand.search(
            text.joined(separator: " "), year: year, in: name, for: try await session.person(person), session)
    }

    /// - Parameter person: whose favourites have a mark.
    static func search(
        _ text: String, year: Int?, in catalog: String, for person: String = ControlRoute.localPerson,
        _ session: Session
    ) async throws {
        var query = ["query": text, "person": person]
        query["year"] = year.map(String.init)
        try await session.show(
            session.client.get(
                "\(ControlRoute.catalogs)/\(catalog)/search", query, wait: Session.catalogPatience))
    }
}
