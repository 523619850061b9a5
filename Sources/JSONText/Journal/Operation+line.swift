package import SyncModel

extension Operation {
    /// Reads one journal line (`docs/protocol.md` section 2). Keys it does not know are ignored, and noted.
    ///
    /// - Parameter keys: what the keys of each collection are made of.
    package init(line: ArraySlice<UInt8>, keys: KeyTemplates) throws(Defect) {
        let members = try Operation.members(line)
        guard let word = members.op else { throw Defect(.missingKey, "the line has no \"op\"") }
        guard let word = word.text else { throw Defect(.invalidValue, "\"op\" is \(word.kind), not a string") }
        guard let kind = Kind(rawValue: word) else {
            throw Defect(.unknownOperation, "\"op\" is \"\(word.prefix(40))\", not create, update or delete")
        }
        let collection = try Operation.collection(members.collection)
        if let name = members.ambiguousName {
            throw Defect(.invalidValue, "the line has \(FieldRules.words(ofAmbiguous: name))")
        }
        let fields = try Operation.fields(members.fields, kind)
        let named = try LineKey(members.id, fields, collection, keys[collection], kind)
        self.init(
            kind, RecordKey(collection, named.id), fields: named.fields,
            at: try Operation.time(members.at), opID: try Operation.opID(members.opID)
        )
        keyInRemote = named.keyInRemote
        person = try Operation.person(members.by)
        ignoredKeys = Operation.ignored(members, kind)
        // Any other origin is nobody's: lines of the change feed, which have one too, are operations as well.
        if case .plugin(let name)? = members.origin?.text.flatMap(Change.Origin.init) { plugin = name }
    }

    /// The keys of a line, as ``LineMembers`` has them.
    package static let lineKeys = ["op", "collection", "id", "fields", "at", "opID", "origin", "by"]

    private static func ignored(_ members: LineMembers, _ kind: Kind) -> [String] {
        let isIgnored = kind == .delete && members.fields?.members?.isEmpty == false
        guard isIgnored || !members.unknown.isEmpty else { return [] }
        return (members.unknown + (isIgnored ? ["fields"] : [])).sorted()
    }

    private static func members(_ line: ArraySlice<UInt8>) throws(Defect) -> LineMembers {
        do throws(JSONSyntaxError) {
            if let members = try JSONReader.read(line, LineMembers.init) { return members }
        } catch {
            if String(validating: line, as: UTF8.self) == nil {
                throw Defect(.invalidUTF8, "the line is not UTF-8")
            }
            throw Defect(.invalidJSON, "the line is not JSON: \(error)")
        }
        throw Defect(.invalidJSON, "the line is not a JSON object")
    }

    private static func collection(_ value: JSONValue?) throws(Defect) -> CollectionID {
        guard let value, value != .null else { return .default }
        guard let name = value.text else {
            throw Defect(.invalidValue, "\"collection\" is \(value.kind), not a string")
        }
        guard let collection = CollectionID(name) else {
            throw Defect(.unknownCollection, "there is no collection \"\(name.prefix(60))\"")
        }
        return collection
    }

    private static func fields(_ value: JSONValue?, _ kind: Kind) throws(Defect) -> [String: JSONValue] {
        if kind == .delete { return [:] }
        guard let value else { throw Defect(.missingKey, "the line has no \"fields\"") }
        guard value != .null else { throw Defect(.missingKey, "\"fields\" is null, not an object") }
        guard let fields = value.members else {
            throw Defect(.invalidValue, "\"fields\" is \(value.kind), not an object")
        }
        try FieldRules.check(fields)
        return fields
    }

    private static func time(_ value: JSONValue?) throws(Defect) -> UInt64? {
        guard let value, value != .null else { return nil }
        if let time = value.text.flatMap({ RFC3339.milliseconds($0) }) { return time }
        let isEarly = value.text.map { RFC3339.isBefore1970($0) } ?? false
        let wrong = isEarly ? "but must not lie before 1970" : "not an RFC 3339 time such as 2026-11-20T20:15:04Z"
        throw Defect(.invalidValue, "\"at\" is \(JSONWriter.string(value).prefix(60)), \(wrong)")
    }

    private static func person(_ value: JSONValue?) throws(Defect) -> String? {
        guard let value, value != .null else { return nil }
        let most = KeyTemplate.maxLength
        guard let text = value.text, !text.isEmpty, text.utf8.count <= most else {
            let wrong = Operation.size(of: value) ?? value.kind
            throw Defect(
                .invalidValue, "\"by\" is \(wrong), not the uid of a person: a string of 1 to \(most) bytes")
        }
        return text
    }

    /// What is wrong with a string that is a string: how long it is. Nil for anything else.
    private static func size(of value: JSONValue) -> String? {
        value.text.map { $0.isEmpty ? "empty" : "a string of \($0.utf8.count) bytes" }
    }

    private static func opID(_ value: JSONValue?) throws(Defect) -> String? {
        guard let value, value != .null else { return nil }
        guard let text = value.text, text.utf8.count <= 1024 else {
            let wrong = Operation.size(of: value) ?? value.kind
            throw Defect(.invalidValue, "\"opID\" is \(wrong), not a string of up to 1024 bytes")
        }
        return text.isEmpty ? nil : text
    }
}
