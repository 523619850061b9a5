internal import RTDBWire
internal import SyncModel

/// The security rules of one database: who may read and write what, what is valid, and what is indexed.
struct Ruleset: Sendable {
    /// The rules at one place.
    struct Place: Sendable {
        var read: RuleExpression?
        var write: RuleExpression?
        var validate: RuleExpression?
        /// Child paths, or `.value`.
        var indexes: Set<String> = []
        /// Whether who may read here can change with the data.
        var readDependsOnData = false
        var children: [WireKey: Place] = [:]
        /// The `$name`, and what holds for every key that has no rules of its own.
        var wildcard: (name: String, places: [Place])?

        /// The rules for `key`, and the wildcard that it fills.
        func child(_ key: WireKey) -> (place: Place, wildcard: String?)? {
            if let place = children[key] { return (place, nil) }
            return wildcard.flatMap { wildcard in wildcard.places.first.map { ($0, wildcard.name) } }
        }

        /// Whether who may read here or below can change with the data.
        var someReadDependsOnData: Bool {
            readDependsOnData || children.values.contains(where: \.someReadDependsOnData)
                || wildcard?.places.contains(where: \.someReadDependsOnData) == true
        }

        var hasChildren: Bool { !children.isEmpty || wildcard != nil }
    }

    /// As it was written, comments included.
    let text: [UInt8]
    let root: Place
    /// Whether a write can take away somebody's right to read.
    let readsDependOnData: Bool

    /// Reads rules. Throws a ``RulesError`` with the first fault.
    init(_ text: [UInt8]) throws(RulesError) {
        var source = RulesSource(text)
        guard case .object(let members) = try source.read(), members.count == 1, members[0].key.string == "rules",
            case .object = members[0].value
        else { throw RulesError(line: 1, column: 1, message: "the file must be an object with the one key \"rules\"") }
        self.text = text
        root = try RulesReader(source: source).place(members[0].value, wildcards: [])
        readsDependOnData = root.someReadDependsOnData
    }

    /// Whether a query of this order may be answered at `path`. `$key` needs no index.
    func isIndexed(_ order: WireQuery.Order, at path: WirePath) -> Bool {
        let name: String
        switch order {
        case .key, .priority: return true
        case .value: name = ".value"
        case .child(let path): name = path.text
        }
        var place: Place? = root
        for key in path.keys { place = place?.child(key)?.place }
        return place?.indexes.contains(name) ?? false
    }
}

/// Turns the JSON of rules into places.
private struct RulesReader {
    let source: RulesSource

    func place(_ value: RulesSource.Value, wildcards: [String]) throws(RulesError) -> Ruleset.Place {
        var place = Ruleset.Place()
        guard case .object(let members) = value else { return place }
        for member in members {
            let (key, value) = (member.key, member.value)
            let name = key.string
            switch name {
            case ".read":
                place.read = try expression(value, key, wildcards, isRead: true)
                if case .string(let text) = value {
                    place.readDependsOnData = text.string.contains("data") || text.string.contains("root")
                }
            case ".write": place.write = try expression(value, key, wildcards)
            case ".validate": place.validate = try expression(value, key, wildcards)
            case ".indexOn": place.indexes = try indexes(value, key)
            default:
                guard case .object = value else { throw error("\"\(name)\" must be an object", key) }
                if name.hasPrefix("$") {
                    guard place.wildcard == nil else { throw error("there is another wildcard here", key) }
                    guard !wildcards.contains(name) else { throw error("\(name) is used above", key) }
                    place.wildcard = (name, [try self.place(value, wildcards: wildcards + [name])])
                } else {
                    guard let path = WireKey(name) else { throw error("\"\(name)\" can't be a key", key) }
                    place.children[path] = try self.place(value, wildcards: wildcards)
                }
            }
        }
        return place
    }

    private func error(_ message: String, _ key: RulesSource.Text) -> RulesError {
        source.error(message, at: key.offsets[0])
    }

    private func expression(
        _ value: RulesSource.Value, _ key: RulesSource.Text, _ wildcards: [String], isRead: Bool = false
    ) throws(RulesError) -> RuleExpression {
        switch value {
        case .bool(let truth): return .literal(.bool(truth))
        case .string(let text):
            var names: Set<String> = ["auth", "now", "root", "data"]
            names.insert(isRead ? "query" : "newData")
            var parser = RuleParser(text, in: source, names: names.union(wildcards))
            return try parser.read()
        case .object, .array: throw error("\(key.string) must be a string, true or false", key)
        }
    }

    private func indexes(_ value: RulesSource.Value, _ key: RulesSource.Text) throws(RulesError) -> Set<String> {
        var names: Set<String> = []
        let elements: [RulesSource.Value]
        if case .array(let array) = value { elements = array } else { elements = [value] }
        for element in elements {
            guard case .string(let text) = element else {
                throw error(".indexOn must be a string or an array of strings", key)
            }
            names.insert(text.string)
        }
        return names
    }
}
