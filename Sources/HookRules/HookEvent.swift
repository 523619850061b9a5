internal import JSONText
package import SyncModel

/// What a hook is told: a change that took effect, or that some are no longer kept.
package struct HookEvent: Hashable, Sendable {
    /// The entry of the change feed; of a gap, its last one.
    package let sequence: Int64
    /// `create`, `update`, `delete` or `gap`.
    package let word: String
    package let collection: String?
    package let record: String?
    package let origin: String?
    /// When it took effect, in milliseconds since 1970; nil for a gap.
    package let at: UInt64?
    /// The same for the same event, however often it is delivered.
    package let delivery: String
    /// All of it as a JSON object.
    package let members: [String: JSONValue]

    package var text: [UInt8] { JSONWriter.text(members) }

    /// - Parameter node: this node's id.
    package init(_ change: Change, node: String) {
        sequence = change.sequence
        word = change.kind.rawValue
        collection = change.key.collection.name
        record = change.key.id.description
        origin = change.origin.rawValue
        at = change.at
        delivery = "\(node)-\(change.sequence)"
        members = [
            "delivery": .string(delivery), "seq": .integer(change.sequence), "event": .string(word),
            "collection": .string(change.key.collection.name), "id": .string(change.key.id.description),
            "before": change.fieldsBefore.map { .object($0) } ?? .null,
            "after": change.version.content.map { .object($0.fields) } ?? .null,
            "origin": .string(change.origin.rawValue), "node": .string(node),
            "stamp": change.stamp.map { .string($0.description) } ?? .null, "at": .string(RFC3339.text(change.at)),
        ]
    }

    /// The entries of a span are no longer kept: whoever needs to know everything reads the records anew.
    package init(gapFrom first: Int64, to last: Int64, node: String) {
        sequence = last
        word = "gap"
        collection = nil
        record = nil
        origin = nil
        at = nil
        delivery = "\(node)-\(last)"
        members = [
            "delivery": .string(delivery), "seq": .integer(last), "event": "gap", "from": .integer(first),
            "to": .integer(last), "node": .string(node),
        ]
    }

    /// An event as it was stored; nil where `text` is none.
    package init?(text: [UInt8]) {
        guard let members = try? JSONReader.members(text), let sequence = members["seq"]?.whole,
            let word = members["event"]?.text, let delivery = members["delivery"]?.text
        else { return nil }
        self.sequence = sequence
        self.word = word
        self.delivery = delivery
        collection = members["collection"]?.text
        record = members["id"]?.text
        origin = members["origin"]?.text
        at = members["at"]?.text.flatMap(RFC3339.milliseconds)
        self.members = members
    }
}

extension Change {
    /// The fields before; nil for a record that was not there, and where that was not noted.
    fileprivate var fieldsBefore: [String: JSONValue]? {
        guard kind != .create, let was = past?.was else { return nil }
        return (version.content?.fields ?? [:]).merging(was) { _, old in old }.filter { $0.value != .null }
    }
}
