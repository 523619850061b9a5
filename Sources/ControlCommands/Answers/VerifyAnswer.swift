internal import ControlAPI

/// What a comparison with the remote has found.
struct VerifyAnswer: Answer {
    var reply: VerifyReply

    func text(_ style: Style) -> String {
        reply.collections.map { collection in
            let compared = "\(collection.collection): \(Formatted.count(collection.compared)) compared"
            let waits = VerifyAnswer.waits(collection.pending)
            guard collection.differences > 0 else {
                return compared
                    + (waits.map { ", the remote is as this node knows it; " + style.paint($0, .warning) }
                        ?? style.paint(", verified: this node and the remote are equal", .good))
            }
            var lines = [compared + style.paint(", " + VerifyAnswer.kinds(collection.found), .warning)]
            if let waits { lines.append("  " + style.paint(waits, .warning)) }
            lines += collection.items.map { "  \(Printable.text($0.key))  \(VerifyAnswer.words($0.what))" }
            let rest = collection.differences - collection.items.count
            if rest > 0 { lines.append("  and \(Formatted.count(rest)) more") }
            if collection.repaired {
                lines.append("  these are read again now")
                if collection.isStuck {
                    lines.append("  what can't be read, or is no record, stays until it is corrected or removed there")
                }
            }
            return lines.joined(separator: "\n")
        }
        .joined(separator: "\n")
    }

    /// What of this node the remote can't have yet; nil where there is nothing.
    private static func waits(_ pending: Int) -> String? {
        guard pending > 0 else { return nil }
        return Formatted.count(pending, "record") + (pending == 1 ? " is" : " are") + " not pushed yet"
    }

    /// `differs: 2, not on the remote: 1`.
    static func kinds(_ found: [String: Int]) -> String {
        found.sorted { $0.key < $1.key }.map { "\(words($0.key)): \($0.value)" }.joined(separator: ", ")
    }

    private static func words(_ finding: String) -> String {
        switch finding {
        case "missingHere": "not known here"
        case "missingThere": "not on the remote"
        case "differs": "differs"
        case "secondKey": "a second key for a record"
        case "unreadable": "can't be read"
        case "strayKey": "a key that is no record"
        default: finding
        }
    }
}
