internal import Crypto
internal import FirebaseWire
internal import FoundationEssentials
internal import SyncModel

/// The hash by which the client libraries name what they know of a place: of a whole subtree, priorities included.
///
/// Each node is hashed with SHA-1 over its priority, its type and its value, or over its children's keys and hashes in the
/// order of their priorities; numbers stand there as the 16 digits of their double.
package struct ValueHash: Hashable, Sendable {
    /// In Base64; empty for nothing.
    package let text: String

    package init(_ text: String) { self.text = text }

    /// The hash of what is stored, or of nothing.
    package init(of node: Node?) { text = node.map(ValueHash.text) ?? "" }

    private static func text(_ node: Node) -> String {
        var parts = ""
        if let priority = node.priority { parts = "priority:\(spelling(priority)):" }
        if let leaf = node.leaf {
            parts += spelling(leaf)
        } else {
            for (key, child) in ordered(node) { parts += ":\(key.text):\(text(child))" }
        }
        return Data(Insecure.SHA1.hash(data: Data(parts.utf8))).base64EncodedString()
    }

    private static func ordered(_ node: Node) -> [(key: WireKey, value: Node)] {
        var children: [(position: Query.Position, value: Node)] = []
        let query = Query(.priority)
        node.forEachChild { key, child in
            children.append((child.position(key, in: query), child))
            return true
        }
        return children.sorted { query.precedes($0.position, $1.position) }.map { ($0.position.key, $0.value) }
    }

    /// The type and value of a leaf.
    static func spelling(_ value: JSONValue) -> String {
        switch value {
        case .bool(let truth): "boolean:\(truth)"
        case .integer(let number): "number:\(digits(Double(number)))"
        case .number(let number): "number:\(digits(number))"
        case .string(let text): "string:\(text)"
        case .null, .array, .object: ""
        }
    }

    private static func digits(_ number: Double) -> String {
        let digits = String(number.bitPattern, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
