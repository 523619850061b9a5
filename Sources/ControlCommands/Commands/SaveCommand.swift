internal import ArgumentParser
internal import ControlAPI
internal import SyncModel

struct SaveCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save rows of the last search to the library, and print their ids.",
        discussion: """
            A row that is in the library is left as it is. The others are appended to the journal with one write; a row \
            has the same id on every node, so that saving it twice is one record.
            """
    )

    @Argument(help: "The numbers of the rows, such as 1 3 5-7.")
    var rows: [String]

    @Flag(help: "Mark the movies as watched.")
    var watched = false

    @OptionGroup var saving: SaveOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try await session.save(try RowNumbers.read(rows), collection: nil, saving) { schema in
            watched ? try WatchedField.set(true, in: schema) : [:]
        }
    }
}

/// What every command takes that saves rows.
struct SaveOptions: ParsableArguments {
    @Option(
        name: .customLong("set"), help: ArgumentHelp("The set of the rows; without it the last one.", valueName: "id"))
    var set = "latest"

    @Option(name: .customLong("field"), help: ArgumentHelp("Another field of each.", valueName: "name=value"))
    var fields: [String] = []

    @OptionGroup var append: AppendOptions
}

extension Session {
    /// Appends rows of a set to the journal, those that are not in the library, and shows what became of each.
    func save(
        _ numbers: [Int], collection: String?, _ options: SaveOptions,
        more: (CollectionSchema) throws -> [String: JSONValue] = { _ in [:] }
    ) async throws {
        let reply: CatalogPicksReply = try await client.post(
            "\(ControlRoute.catalogs)/sets/\(options.set.pathPart)/picks",
            body: CatalogPickOrder(pick: numbers, collection: collection), wait: .zero)
        let name = CatalogItemAnswer.collection(named: reply.collection)
        let schema = try await shownSchema(of: name)
        let own = try [String: JSONValue](assignments: options.fields, in: schema).merging(try more(schema)) { $1 }
        let edits = try reply.picks.filter { $0.state == .new }.map { pick in
            let fields = schema.defaults.merging(pick.fields) { $1 }.merging(own) { $1 }
            return JournalEdit(.create, in: name, try RecordPrefix(pick.id), fields: fields)
        }
        let rows = reply.picks.map { pick in
            SavedAnswer.Reply.Row(
                number: pick.number, title: pick.title, state: pick.state == .new ? .saved : .already, id: pick.id)
        }
        let append = options.append
        try await self.append(edits, to: await editTarget(append.journal), waiting: append.waiting) {
            try output.show(SavedAnswer(reply: .init(set: reply.set, collection: reply.collection, rows: rows)))
        }
    }
}
