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
            if collection.repaired { lines += VerifyAnswer.repair(of: collection) }
            return lines.joined(separator: "\n")
        }
        .joined(separator: "\n")
    }

    private static func repair(of collection: VerifyReply.Collection) -> [String] {
        let when = collection.isPaused == true ? "when the pull is resumed: moviesync resume pull" : "now"
        var lines = ["  these are read again " + when]
        lines += (collection.holds ?? []).map {
            "  those of hold \($0) stay as they are until it is decided: moviesync approve \($0), or reject \($0)"
        }
        if collection.isPushPaused == true {
            lines.append("  second keys are removed when the push is resumed: moviesync resume push")
        }
        if let kept = collection.kept {
            lines.append("  \(Formatted.count(kept, "second key")) can't be removed: see moviesync quarantine")
        }
        if collection.hasForeign {
            lines.append("  what can't be read, or is no record, stays until it is corrected or removed there")
        }
        return lines
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

extension VerifyReply {
    /// With what the command ends; nil where both sides are equal, or the repair is under way.
    var failure: CommandFailure.Code? {
        if collections.contains(where: { $0.differences > 0 && !$0.repaired }) || isStuck { return .badData }
        if collections.contains(where: { $0.holds != nil }) { return .notAllowed }
        return collections.contains { $0.isPaused == true || $0.isPushPaused == true } ? .tryAgain : nil
    }
}
