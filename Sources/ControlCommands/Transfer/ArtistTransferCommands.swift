internal import ArgumentParser
internal import BuiltInCollections
internal import ControlAPI
internal import JSONText
internal import PluginKit
internal import SyncModel

struct ArtistExportCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all saved artists into a file of JSON, or a property list.",
        discussion: "What is not known of an artist is left out. A file that is there already is replaced.")

    @OptionGroup var export: ExportOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let records: [RecordReply] = try await session.client.all(
            "\(ControlRoute.records)/\(ArtistCommand.collectionName)")
        let artists = records.map { record in
            var fields = record.fields.filter { $0.value != .null }
            fields["id"] = .string(record.id)
            return JSONValue.object(fields)
        }
        try export.write(.array(artists), session.output)
    }
}

struct ArtistImportCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Save the artists of a file of JSON, or a property list.",
        discussion: """
            An array of dictionaries with 'name', and 'biography' and 'yearFormed' where they are known; one dictionary is \
            one artist. Whoever has an 'id' becomes, or replaces, the artist with this id. Without one the id follows from \
            the rest, so that a file that is imported twice is saved once. A file with anything wrong is not saved at all.
            """)

    @Argument(help: "The file; - is standard input.")
    var file: String

    @OptionGroup var append: AppendOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let value = try PropertyFile.read(file)
        let target = try await session.editTarget(append.journal)
        let schema = try await session.schema(of: ArtistCommand.collectionName, target)
        try await session.append(try ArtistImportCommand.edits(of: value, schema), append, to: target)
    }

    /// An edit for each artist; nothing for one that stands there twice.
    static func edits(of value: JSONValue, _ schema: CollectionSchema) throws(CommandFailure) -> [JournalEdit] {
        var elements = [value]
        if case .array(let array) = value { elements = array }
        var edits: [RecordID: JournalEdit] = [:]
        var order: [RecordID] = []
        for (index, element) in elements.enumerated() {
            let (id, fields) = try artist(element, number: index + 1, schema)
            if let earlier = edits[id] {
                guard earlier.fields == fields else {
                    throw CommandFailure(.badData, "artist \(index + 1) has the id of another one: \(id)")
                }
            } else {
                order.append(id)
                edits[id] = JournalEdit(.create, in: ArtistCommand.collectionName, RecordPrefix(of: id), fields: fields)
            }
        }
        return order.compactMap { edits[$0] }
    }

    private static func artist(
        _ element: JSONValue, number: Int, _ schema: CollectionSchema
    ) throws(CommandFailure) -> (RecordID, [String: JSONValue]) {
        guard var fields = element.members else {
            throw CommandFailure(.badData, "artist \(number) is \(element.kind), not a dictionary")
        }
        guard let name = fields[schema.titleField]?.text, name.contains(where: { !$0.isWhitespace }) else {
            throw CommandFailure(.badData, "artist \(number) has no \"\(schema.titleField)\"")
        }
        let given = fields.removeValue(forKey: "id")
        fields = fields.filter { $0.value != .null }
        try check(fields, of: name, number: number)
        guard let given else {
            return (.named(JSONWriter.string(.object(fields)), in: ArtistCommand.collectionName.id), fields)
        }
        guard let id = given.text.flatMap({ RecordID($0) }) else {
            throw CommandFailure(.badData, "artist \(number), \(name), has an \"id\" that is no UUID: leave it out")
        }
        return (id, fields)
    }

    /// What the daemon would set aside is said before anything is saved.
    private static func check(
        _ fields: [String: JSONValue], of name: String, number: Int
    ) throws(CommandFailure) {
        let plugin = BuiltInCollections.all.first { $0.id == ArtistCommand.collectionName.id }
        do throws(Defect) {
            _ = try plugin?.validated(fields)
        } catch {
            throw CommandFailure(.badData, "artist \(number), \(name): \(error.message)")
        }
    }
}
