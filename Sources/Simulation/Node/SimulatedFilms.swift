internal import FirebaseWire
internal import SyncCore
internal import SyncModel

/// The collection of a run: films as apps know them, with one field for each rule of merging.
enum SimulatedFilms {
    static let id: CollectionID = "movies"
    /// The fields of which every edit has a value that no other edit has.
    private static let traced = ["title", "note", "year"]

    /// The field whose members are added and removed one by one. Every edit of it adds one that no other edit adds.
    static let set = "tags"

    /// The field of which the highest number counts.
    static let highest = "plays"

    /// The stamp of the version that a body in the database is; nil where it has none.
    static func stamp(of body: [String: JSONValue]) -> Stamp? { body["_v"]?.text.flatMap { Stamp($0) } }

    /// All stamps of it; nil where it has none.
    static func stamps(of body: [String: JSONValue]) -> RemoteStamps? {
        guard case .record(_, let stamps) = EntrySpelling.entry("record", .object(body), in: .records(id)).value else {
            return nil
        }
        return stamps
    }

    /// The latest stamp of its fields; nil where it has none.
    static func newestStamp(of body: [String: JSONValue]) -> Stamp? {
        stamps(of: body).map { $0.fields?.newest ?? $0.version }
    }

    /// What of a record tells who has edited it: the traced fields, and each member of the set as if it were a field.
    static func traced(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        var found = fields.filter { traced.contains($0.key) }
        for member in members(fields) { found[FieldStamps.member(member, of: set)] = true }
        return found
    }

    /// The names that an operation takes every value from which it does not give one itself.
    static func removed(by operation: Operation) -> [String] {
        guard operation.kind == .create else { return traced.filter { operation.fields[$0] == .null } }
        return traced.filter { operation.fields[$0] ?? .null == .null } + [set]
    }

    static func members(_ fields: [String: JSONValue]) -> [String] {
        guard case .array(let elements)? = fields[set] else { return [] }
        return elements.compactMap(\.text)
    }

    static func rules(_ settings: SimulationSettings) -> CollectionRules {
        let number = settings.mutation == .numbersByLastWrite ? FieldRule.last : .max
        let members = settings.mutation == .setsByLastWrite ? FieldRule.last : .set
        return CollectionRules(
            id: id, key: settings.areKeyed ? KeyTemplate([.init("film", isInteger: true), .init("uid")]) : .uuid,
            merge: MergeRules(
                defaults: ["hasWatched": false], fields: [highest: number, set: members],
                byRecord: settings.mergesByRecord),
            titleField: "title",
            identityFields: { [areKeyed = settings.areKeyed] in areKeyed ? [:] : ["identifier": .string($0.description)]
            },
            validated: checked, normalized: understood)
    }

    /// Whether a node can make something of an entry.
    static func isReadable(_ entry: RemoteEntry) -> Bool {
        guard case .record(let fields, let stamps) = entry.value, stamps == nil else { return true }
        return isReadable(fields)
    }

    /// Whether a node can make something of a record's fields that carry no stamp of a node.
    static func isReadable(_ fields: [String: JSONValue]) -> Bool { (try? understood(fields)) != nil }

    private static func checked(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        var fields = fields
        if fields["hasWatched"] ?? .null == .null { fields["hasWatched"] = false }
        guard let title = fields["title"]?.text, !title.isEmpty else {
            throw Defect(.missingKey, "the film has no \"title\"")
        }
        guard fields["hasWatched"]?.truth != nil else { throw Defect(.invalidValue, "\"hasWatched\" is not a Bool") }
        return fields
    }

    private static func understood(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        var fields = fields
        switch fields["hasWatched"] {
        case .string("true")?, .string("1")?, .integer(1)?: fields["hasWatched"] = true
        case .string("false")?, .string("0")?, .integer(0)?: fields["hasWatched"] = false
        default: break
        }
        return try checked(fields)
    }
}
