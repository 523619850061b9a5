internal import BuiltInCollections
internal import JSONText
internal import PluginKit
internal import SyncModel

/// The artists of a file, each once, in its order.
struct ArtistFile {
    private struct Artist: Hashable {
        let id: RecordID
        /// Whether the id follows from the fields: the file says nothing of who is there already.
        let isNamed: Bool
        let fields: [String: JSONValue]
    }

    private var artists: [Artist] = []
    private var places: [RecordID: Int] = [:]

    /// - Throws: what is wrong, and with which artist.
    init(_ value: JSONValue, _ schema: CollectionSchema) throws(CommandFailure) {
        var elements = [value]
        if case .array(let array) = value { elements = array }
        for (index, element) in elements.enumerated() {
            let artist = try ArtistFile.artist(element, number: index + 1, schema)
            if let place = places[artist.id] {
                guard artists[place].fields == artist.fields else {
                    throw CommandFailure(.badData, "artist \(index + 1) has the id of another one: \(artist.id)")
                }
            } else {
                places[artist.id] = artists.count
                artists.append(artist)
            }
        }
    }

    var count: Int { artists.count }

    func contains(_ id: RecordID) -> Bool { places[id] != nil }

    /// What has to be written so that the artists are as the file has them; nothing of those that are.
    ///
    /// One whose id the file does not say keeps all that it has besides.
    /// - Parameters:
    ///   - saved: the fields of those that are there already.
    ///   - open: those of them that are written once more all the same: they are waited for, and the remote does not have
    ///     them yet.
    func edits(over saved: [RecordID: [String: JSONValue]], open: Set<RecordID> = []) -> [JournalEdit] {
        artists.compactMap { artist in
            let (id, collection) = (RecordPrefix(of: artist.id), ArtistCommand.collectionName)
            guard let there = saved[artist.id].map(ArtistFile.canonical) else {
                return JournalEdit(.create, in: collection, id, fields: artist.fields)
            }
            let wanted = ArtistFile.canonical(artist.fields)
            if artist.isNamed {
                let fields = open.contains(artist.id) ? wanted : wanted.filter { there[$0.key] != $0.value }
                return fields.isEmpty ? nil : JournalEdit(.update, in: collection, id, fields: fields)
            }
            // As values, which tell texts apart that are composed otherwise.
            let isSame = JSONValue.object(wanted) == .object(there)
            guard !isSame || open.contains(artist.id) else { return nil }
            return JournalEdit(.create, in: collection, id, fields: artist.fields)
        }
    }

    private static let plugin = BuiltInCollections.all.first { $0.id == ArtistCommand.collectionName.id }

    /// The fields as the daemon keeps them.
    private static func canonical(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        ((try? plugin?.validated(fields)) ?? fields).compactMapValues(\.pruned)
    }

    private static func artist(
        _ element: JSONValue, number: Int, _ schema: CollectionSchema
    ) throws(CommandFailure) -> Artist {
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
            let id = RecordID.named(JSONWriter.string(.object(fields)), in: ArtistCommand.collectionName.id)
            return Artist(id: id, isNamed: true, fields: fields)
        }
        guard let id = given.text.flatMap({ RecordID($0) }) else {
            throw CommandFailure(.badData, "artist \(number), \(name), has an \"id\" that is no UUID: leave it out")
        }
        return Artist(id: id, isNamed: false, fields: fields)
    }

    /// What the daemon would set aside is said before anything is saved.
    private static func check(
        _ fields: [String: JSONValue], of name: String, number: Int
    ) throws(CommandFailure) {
        do throws(Defect) {
            _ = try plugin?.validated(fields)
        } catch {
            throw CommandFailure(.badData, "artist \(number), \(name): \(error.message)")
        }
    }
}
