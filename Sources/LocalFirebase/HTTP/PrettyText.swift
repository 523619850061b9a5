internal import JSONText
internal import SyncModel

/// JSON text for people: one member a line, two spaces a level.
enum PrettyText {
    static func text(_ value: JSONValue) -> [UInt8] {
        var out: [UInt8] = []
        append(value, 0, &out)
        out.append(UInt8(ascii: "\n"))
        return out
    }

    private static func append(_ value: JSONValue, _ level: Int, _ out: inout [UInt8]) {
        switch value {
        case .object(let members) where !members.isEmpty:
            let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            block("{", sorted, "}", level, &out) { member, out in
                JSONWriter.append(member.key, to: &out)
                out.append(contentsOf: " : ".utf8)
                append(member.value, level + 1, &out)
            }
        case .array(let elements) where !elements.isEmpty:
            block("[", elements, "]", level, &out) { element, out in append(element, level + 1, &out) }
        default: JSONWriter.append(value, to: &out)
        }
    }

    private static func block<Item>(
        _ open: String, _ items: [Item], _ close: String, _ level: Int, _ out: inout [UInt8],
        _ write: (Item, inout [UInt8]) -> Void
    ) {
        out.append(contentsOf: open.utf8)
        for (index, item) in items.enumerated() {
            out.append(contentsOf: (index > 0 ? ",\n" : "\n").utf8)
            out.append(contentsOf: String(repeating: "  ", count: level + 1).utf8)
            write(item, &out)
        }
        out.append(contentsOf: "\n\(String(repeating: "  ", count: level))\(close)".utf8)
    }
}
