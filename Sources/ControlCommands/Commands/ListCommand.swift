internal import ArgumentParser
internal import ControlAPI
internal import PluginKit
internal import SyncModel

struct ListCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the records of a collection.",
        discussion: """
            On a terminal a long list is shown by $PAGER. In a pipe there are tabs between the columns, and the id stands \
            first.
            """)

    @Argument(help: "The collection.")
    var collection = CollectionName.default

    @Option(help: ArgumentHelp("Group by a field, or by the mark: watched.", valueName: "field"))
    var group: String?

    @Option(
        help: ArgumentHelp(
            "Only records whose title contains this text; or field=value, field~text, joined by commas.",
            valueName: "text"
        )
    )
    var filter: String?

    @Option(help: ArgumentHelp("Sort by a field; by the title without it.", valueName: "field"))
    var sort: String?

    @Flag(help: "Show the last ones first.")
    var reverse = false

    @Option(help: ArgumentHelp("Show so many.", valueName: "number"))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            "Show these fields, joined by commas; of movies also reviews and rating, where reviews are kept.",
            valueName: "fields"))
    var columns: String?

    @Flag(help: "Only films that are favourites of the person that --as names.")
    var favouritesOnly = false

    @OptionGroup var person: PersonOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit takes a number above 0.") }
        guard columns?.allSatisfy({ $0 == "," || $0.isWhitespace }) != true else {
            throw ValidationError("--columns names no field; write some, joined by commas: --columns title,year.")
        }
    }

    func perform(_ session: Session) async throws {
        let schema = try await session.shownSchema(of: collection)
        let filter = filter.map { ListCommand.filter($0, of: schema) } ?? .all
        func field(_ name: String?) -> String? { name == schema.markName ? schema.mark : name }
        let order = RecordOrder(
            group: field(group), sort: field(sort), isReversed: reverse, limit: limit,
            columns: columns?.split(separator: ",").compactMap { field(String($0)) })
        let reviews = try await session.reviewColumns(for: order.fields, in: collection)
        let fields = order.fields.filter { reviews == nil || !ReviewColumns.names.contains($0) }
        try await session.check(fields + filter.terms.map(\.field), in: collection, schema)
        var choice = RecordChoice(filter: filter)
        if favouritesOnly { choice.films = try await session.favouriteFilms(of: try await session.person(person)) }
        if session.output.json {
            try await json(session, schema, choice, order, reviews)
        } else {
            try await session.output.paged { [choice] in
                try await text(session, $0, schema, choice, order, reviews)
            }
        }
    }

    private func json(
        _ session: Session, _ schema: CollectionSchema, _ choice: RecordChoice, _ order: RecordOrder,
        _ reviews: ReviewColumns?
    ) async throws {
        var (listing, held) = (ListingJSON(), [RecordReply]())
        let isWhole = order.isAny && order.limit == nil && choice.films == nil && reviews == nil
        try await session.client.recordPages(of: collection, where: choice.filter) { page in
            if isWhole {
                try session.output.write(listing.take(page.records))
            } else {
                guard let records = page.values() else { throw ControlClient.unreadable }
                let chosen = records.filter(choice.includes)
                held += reviews?.put(on: chosen) ?? chosen
            }
            return !order.isAny || held.count < order.limit ?? .max
        }
        if isWhole { return try session.output.write(line: listing.end()) }
        if order.isAny {
            return try session.output.show(PageAnswer(reply: Page(items: Array(held.prefix(order.limit ?? .max)))))
        }
        try session.output.show(RecordsAnswer(schema: schema, records: held, order: order))
    }

    private func text(
        _ session: Session, _ output: Output, _ schema: CollectionSchema, _ choice: RecordChoice, _ order: RecordOrder,
        _ reviews: ReviewColumns?
    ) async throws {
        // A terminal shows short ids, and has to know all of them.
        let isShort = output.style.width != nil
        var style = output.style
        style.isTabbed = !isShort
        let isOfFilms = isShort && collection == .default && choice.films == nil
        let favourites = isOfFilms ? try await session.markedFilms(of: try await session.person(person)) : []
        var listing = RecordListing(schema, order, choice, favourites: favourites, style: style)
        try await session.client.recordPages(of: collection, where: isShort ? .all : choice.filter) { page in
            guard let records = page.values() else { throw ControlClient.unreadable }
            try output.write(text: listing.take(reviews?.put(on: records) ?? records))
            return !listing.isFull
        }
        try output.write(text: listing.end())
    }

    /// A filter as the socket knows it; text without a field is looked for in the title.
    static func filter(_ text: String, of collection: CollectionSchema) -> RecordFilter {
        let names = text.prefix { $0 != "=" && $0 != "~" }
        let isExpression =
            names.endIndex != text.endIndex && !names.isEmpty
            && names.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        if isExpression, let filter = try? RecordFilter(parsing: text) { return filter }
        return RecordFilter([.init(collection.titleField, .contains, text)])
    }
}

extension Session {
    /// Checks that fields exist: the plugin knows them, or some record has them.
    ///
    /// - Throws: a usage failure with the nearest name, for the first that does not.
    fileprivate func check(
        _ fields: [String], in collection: CollectionName, _ schema: CollectionSchema
    ) async throws {
        var known = Set(schema.columns + schema.textFields + schema.defaults.keys + [schema.titleField])
        guard !known.isSuperset(of: fields) else { return }
        try await client.recordPages(of: collection, where: .all) { page in
            for record in page.values() ?? [] { known.formUnion(record.fields.keys) }
            return !known.isSuperset(of: fields)
        }
        guard let unknown = fields.first(where: { !known.contains($0) }) else { return }
        let hint = NearestName.hint(for: unknown, among: known.sorted())
        throw CommandFailure(
            .usage,
            "no record of \(collection) has a field '\(unknown)'\(hint.isEmpty ? ";" : hint) there are: "
                + known.sorted().prefix(20).joined(separator: ", "))
    }
}
