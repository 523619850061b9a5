internal import JSONText
package import SyncModel

/// What a collection's plugin and its settings say, as SyncCore needs it.
///
/// A class, because they are looked up for each line and each entry, and all of them would be copied.
package final class CollectionRules: Sendable {
    package let id: CollectionID
    /// What the keys of its records are made of.
    package let key: KeyTemplate
    package let merge: MergeRules
    package let titleField: String
    /// The names of the keys that only the remote has, sorted.
    package let identityNames: [String]
    /// The keys that are written into the remote's body of a record besides its fields.
    package let identityFields: @Sendable (RecordID) -> [String: JSONValue]
    /// Checks the whole fields that a program on this machine wrote.
    package let validated: @Sendable ([String: JSONValue]) throws(Defect) -> [String: JSONValue]
    /// Reads, with care, what an app without stamps wrote.
    package let normalized: @Sendable ([String: JSONValue]) throws(Defect) -> [String: JSONValue]

    package init(
        id: CollectionID, key: KeyTemplate = .uuid, merge: MergeRules, titleField: String,
        identityFields: @escaping @Sendable (RecordID) -> [String: JSONValue],
        validated: @escaping @Sendable ([String: JSONValue]) throws(Defect) -> [String: JSONValue],
        normalized: @escaping @Sendable ([String: JSONValue]) throws(Defect) -> [String: JSONValue]
    ) {
        self.id = id
        self.key = key
        self.merge = merge
        self.titleField = titleField
        identityNames = identityFields(RecordID(high: 0, low: 0)).keys.sorted()
        self.identityFields = identityFields
        self.validated = { fields throws(Defect) in merge.inOrder(try merge.checked(try validated(fields))) }
        self.normalized = { fields throws(Defect) in try merge.checked(try normalized(fields)) }
    }

    /// Checks the fields of a record with those that a program on this machine wrote.
    ///
    /// Where an app has written something that no program here may, an edit that leaves it as it is has nothing to do with it.
    ///
    /// - Returns: all its fields.
    func validated(
        _ named: [String: JSONValue], over current: [String: JSONValue]
    ) throws(Defect) -> [String: JSONValue] {
        let whole = current.merging(named) { _, edit in edit }
        do throws(Defect) {
            return try validated(whole)
        } catch {
            func isValid(_ fields: [String: JSONValue]) -> Bool { (try? validated(fields)) != nil }
            // What was right before has not become wrong by what is left as it is.
            if isValid(current) { throw error }
            let needed = Set(key.parts.map(\.name) + [titleField])
            let others = whole.keys.filter { !named.keys.contains($0) && !needed.contains($0) }
            let core = whole.filter { !others.contains($0.key) }
            // Where the collection needs still others, one that is wrong is found by leaving it out.
            let foreign = Set(
                isValid(core)
                    ? CollectionRules.wrong(among: others[...]) { names in
                        isValid(core.merging(names.map { ($0, whole[$0] ?? .null) }) { $1 })
                    }
                    : others.filter { name in isValid(whole.filter { $0.key != name }) })
            guard !foreign.isEmpty else { throw error }
            return try validated(whole.filter { !foreign.contains($0.key) })
                .merging(whole.filter { foreign.contains($0.key) }) { $1 }
        }
    }

    /// Fields that an app may have written, with care; what it left out is not filled in.
    func carefully(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        try normalized(fields).filter { fields[$0.key] != nil }
    }

    /// The names that are wrong by themselves, found by halves: mostly there are few of them.
    private static func wrong(
        among names: ArraySlice<String>, _ areValid: (ArraySlice<String>) -> Bool
    ) -> [String] {
        if names.isEmpty || areValid(names) { return [] }
        if names.count == 1 { return Array(names) }
        let middle = names.startIndex + names.count / 2
        return wrong(among: names[..<middle], areValid) + wrong(among: names[middle...], areValid)
    }

    /// The id of the record that stands under a key; nil where no record can.
    package func recordID(of text: String) -> RecordID? {
        guard key.isKeyed else { return RecordID(text) }
        return key.fields(of: text) == nil ? nil : .named(text, in: id)
    }

    /// The same for a key of a keyspace: tombstones stand under ids, whatever the records' keys are made of.
    package func recordID(of text: String, in keyspace: Keyspace) -> RecordID? {
        if case .tombstones = keyspace { RecordID(text) } else { recordID(of: text) }
    }
}
