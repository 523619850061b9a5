internal import SyncModel

/// Which record a journal line is about: its UUID, or its key where that is made of fields.
struct LineKey {
    let id: RecordID
    /// The key, where the line tells it.
    private(set) var keyInRemote: String?
    /// The line's fields, with those that the key is made of in a create, and without them in an update.
    private(set) var fields: [String: JSONValue]

    init(
        _ named: JSONValue?, _ fields: [String: JSONValue], _ collection: CollectionID, _ template: KeyTemplate?,
        _ kind: Operation.Kind
    ) throws(Defect) {
        let named = named == .null ? nil : named
        self.fields = fields
        if let text = named?.text, let id = RecordID(text) {
            self.id = id
            guard let template, template.isKeyed, kind == .create else { return }
            let key = try template.key(of: fields)
            guard RecordID.named(key, in: collection) == id else {
                throw Defect(.invalidValue, "\"id\" is not that of \(key): leave it out, or name the key there")
            }
            try take(key, template, kind)
            return
        }
        // What its keys are made of is known when it is enabled.
        guard let template else { throw Defect(notEnabled: collection) }
        guard template.isKeyed else {
            guard let named else { throw Defect(.missingKey, "the line has no \"id\"") }
            throw Defect(.invalidValue, "\"id\" is \(JSONWriter.string(named).prefix(60)), not a UUID")
        }
        let key: String
        if let named {
            guard let text = named.text, template.fields(of: text) != nil else {
                throw Defect(
                    .invalidValue,
                    "\"id\" is \(JSONWriter.string(named).prefix(60)), neither a UUID nor a key such as \(template.words)"
                )
            }
            key = text
        } else {
            guard kind != .delete else {
                throw Defect(.missingKey, "the line has no \"id\": it is a key such as \(template.words)")
            }
            key = try template.key(of: fields)
        }
        id = RecordID.named(key, in: collection)
        try take(key, template, kind)
    }

    /// The parts stand in a create as the key spells them. They never change: an update needs none.
    private mutating func take(
        _ key: String, _ template: KeyTemplate, _ kind: Operation.Kind
    ) throws(Defect) {
        keyInRemote = key
        guard kind != .delete, let parts = template.fields(of: key) else { return }
        for (name, value) in parts {
            if let said = fields[name], said != .null, said != value, said.text != value.whole.map({ "\($0)" }) {
                throw Defect(
                    .invalidValue, "\"\(name)\" is \(JSONWriter.string(said).prefix(60)), but the key is \(key)")
            }
            if kind == .create { fields[name] = value } else { fields.removeValue(forKey: name) }
        }
    }
}

extension KeyTemplate {
    /// What a key looks like: `film/uid`.
    fileprivate var words: String { parts.map(\.name).joined(separator: "/") }
}
