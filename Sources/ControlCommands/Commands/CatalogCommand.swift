internal import ArgumentParser
internal import ControlAPI
internal import SyncModel

struct CatalogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "catalog", abstract: "See the catalogs that the library can be filled from, and their lists.",
        subcommands: [CatalogStatusCommand.self, CatalogListCommand.self, CatalogHomeCommand.self],
        defaultSubcommand: CatalogStatusCommand.self
    )
}

struct CatalogStatusCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the catalogs and how they are.")

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let page: Page<CatalogReply> = try await session.client.get(ControlRoute.catalogs)
        try session.output.show(CatalogsAnswer(catalogs: page.items, now: .now()))
    }
}

struct CatalogHomeCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "home", abstract: "Show the first rows of all lists.")

    @OptionGroup var person: PersonOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let reply: CatalogHomeReply = try await session.client.get(
            ControlRoute.catalogs + "/home", ["person": try await session.person(person)], wait: Session.catalogPatience
        )
        try session.output.show(CatalogHomeAnswer(reply: reply, schemas: await session.shownSchemas()))
    }
}

struct CatalogListCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show a list of a catalog; 'save' takes rows from it.")

    @Argument(help: "The list, such as now-playing.")
    var name: String

    @Option(help: ArgumentHelp("How many pages; 1 without it.", valueName: "number"))
    var pages: Int?

    @Flag(help: "All pages that the source gives out.")
    var all = false

    @Flag(help: "Read all pages once more, for what moved between them meanwhile.")
    var twice = false

    @Option(help: ArgumentHelp("The country whose dates count, such as DE.", valueName: "country"))
    var region: String?

    @Option(help: ArgumentHelp("The catalog to ask; 'moviesync catalog' shows them.", valueName: "name"))
    var catalog: String?

    @Option(help: ArgumentHelp("What the list is of.", valueName: "collection"))
    var collection = CollectionName.default

    @OptionGroup var person: PersonOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (pages ?? 1) > 0 else { throw ValidationError("--pages takes a number above 0.") }
        guard pages == nil || !all else { throw ValidationError("Give --pages or --all, not both.") }
        guard all || !twice else { throw ValidationError("--twice needs --all.") }
    }

    func perform(_ session: Session) async throws {
        let catalog = try await session.catalog(catalog, for: collection.id.name) { $0.lists.contains(name) }
        var query = ["person": try await session.person(person)]
        query["region"] = region
        var set: CatalogSetReply = try await session.client.get(
            "\(ControlRoute.catalogs)/\(catalog)/lists/\(name.pathPart)", query, wait: Session.catalogPatience)
        let bar = ProgressBar()
        defer { bar.clear() }
        try await walk(&set, session, bar, pages: all ? .max : (pages ?? 1) - 1)
        if twice {
            try await add(&set, session, again: true)
            try await walk(&set, session, bar, pages: .max)
        }
        bar.clear()
        try await session.show(set)
    }

    private func walk(_ set: inout CatalogSetReply, _ session: Session, _ bar: ProgressBar, pages: Int) async throws {
        var left = pages
        while set.more, left > 0 {
            try await add(&set, session, again: false)
            bar.draw("\(Formatted.count(set.held, "row")) so far")
            left -= 1
        }
    }

    private func add(_ set: inout CatalogSetReply, _ session: Session, again: Bool) async throws {
        let rows = set.rows
        set = try await session.client.post(
            "\(ControlRoute.catalogs)/sets/\(set.set)/more",
            ["person": try await session.person(person)].merging(again ? ["again": "true"] : [:]) { $1 },
            wait: Session.catalogPatience)
        set.rows = rows + set.rows
    }
}
