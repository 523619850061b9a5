package import DatabaseTree
package import FirebaseWire
internal import JSONText
internal import SyncModel

/// The security rules of one database: who may read and write what, what is valid, and what is indexed.
package struct Ruleset: Sendable {
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
        /// What holds for every key without rules of its own; none or one.
        var wildcard: [Place] = []

        /// The rules for `key`, and whether they are those of a `$name`.
        func child(_ key: WireKey) -> (place: Place, isWildcard: Bool)? {
            if let place = children[key] { return (place, false) }
            return wildcard.first.map { ($0, true) }
        }

        /// Whether who may read here or below can change with the data.
        var someReadDependsOnData: Bool {
            readDependsOnData || children.values.contains(where: \.someReadDependsOnData)
                || wildcard.contains(where: \.someReadDependsOnData)
        }

        /// Whether something is indexed here or below.
        var hasIndexes: Bool {
            !indexes.isEmpty || children.values.contains(where: \.hasIndexes) || wildcard.contains(where: \.hasIndexes)
        }

        var hasChildren: Bool { !children.isEmpty || !wildcard.isEmpty }
    }

    /// As it was written, comments included.
    package let text: [UInt8]
    let root: Place
    /// Whether a write can take away somebody's right to read.
    package let readsDependOnData: Bool
    /// Whether anything is indexed.
    package let declaresIndexes: Bool

    /// Reads rules. Throws a ``RulesError`` with the first fault.
    package init(_ text: [UInt8]) throws(RulesError) {
        var source = RulesSource(text)
        guard case .object(let members) = try source.read(), let first = members.first else {
            throw RulesError(line: 1, column: 1, message: "the file must be an object with the one key \"rules\"")
        }
        if let other = members.first(where: { $0.key.string != "rules" }) {
            throw source.error(
                "\"\(other.key.string)\" may not stand here, only \"rules\" may: take it out, or move it into \"rules\"",
                at: other.key.offsets[0])
        }
        guard case .object = first.value else {
            throw source.error("\"rules\" must be an object", at: first.key.offsets[0])
        }
        self.text = text
        root = try RulesReader(source: source).place(first.value, wildcards: [])
        readsDependOnData = root.someReadDependsOnData
        declaresIndexes = root.hasIndexes
    }

    /// The rules as JSON: without comments, and without commas that nothing follows.
    package var strictText: [UInt8] {
        var source = RulesSource(text)
        return (try? source.read()).map { JSONWriter.text($0.json) } ?? text
    }

    /// Whether a query of this order may be answered at `path`. `$key` needs no index.
    package func isIndexed(_ order: Query.Order, at path: WirePath) -> Bool {
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
        var hasWildcard = false
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
            case let name where name.hasPrefix("."):
                throw error("there is no rule \(name): it is .read, .write, .validate or .indexOn", key)
            default:
                guard case .object = value else { throw error("\"\(name)\" must be an object", key) }
                guard name.hasPrefix("$") else {
                    guard let child = WireKey(name) else { throw error("\"\(name)\" can't be a key", key) }
                    place.children[child] = try self.place(value, wildcards: wildcards)
                    continue
                }
                guard !hasWildcard else { throw error("there is another wildcard here", key) }
                guard WireKey(name.dropFirst()) != nil else { throw error("\"\(name)\" can't be a name", key) }
                guard !wildcards.contains(name) else { throw error("\(name) is used above", key) }
                hasWildcard = true
                place.wildcard = [try self.place(value, wildcards: wildcards + [name])]
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
            var parser = RuleParser(text, in: source, variables: variables(wildcards, isRead: isRead))
            return try parser.read()
        case .object, .array: throw error("\(key.string) must be a string, true or false", key)
        }
    }

    private func variables(
        _ wildcards: [String], isRead: Bool
    ) -> [String: (RuleExpression.Variable, RuleType)] {
        var variables: [String: (RuleExpression.Variable, RuleType)] = [
            "auth": (.auth, .anything), "now": (.now, .number), "root": (.root, .snapshot), "data": (.data, .snapshot),
        ]
        variables["query"] = (.query, .query)
        if !isRead { variables["newData"] = (.newData, .snapshot) }
        for (index, name) in wildcards.enumerated() { variables[name] = (.wildcard(index), .string) }
        return variables
    }

    private func indexes(_ value: RulesSource.Value, _ key: RulesSource.Text) throws(RulesError) -> Set<String> {
        var names: Set<String> = []
        let elements: [RulesSource.Value]
        if case .array(let array) = value { elements = array } else { elements = [value] }
        for element in elements {
            guard case .string(let text) = element else {
                throw error(".indexOn must be a string or an array of strings", key)
            }
            guard text.string == ".value" || text.string == ".priority" || (try? WirePath(parsing: text.string)) != nil
            else {
                throw error("\"\(text.string)\" can't be indexed: it is no path of keys", text)
            }
            names.insert(text.string)
        }
        return names
    }
}
