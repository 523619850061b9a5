package import SyncModel

/// A request that was not carried out: a stable word, a line for people, and the HTTP status it travels with.
///
/// On the wire: `{"error":{"code":"word","message":"…"}}`.
package struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The HTTP status, 4xx or 5xx.
    package var status: Int
    package var code: String
    /// One line: what was wrong, and what to do.
    package var message: String

    /// - Parameter message: may quote anything, see ``Swift/String/oneLine``.
    package init(_ status: Int, _ code: String, _ message: String) {
        self.status = status
        self.code = code
        self.message = message.oneLine
    }

    package var description: String { message }
}

/// An error of another part that says by itself what whoever asked over the control socket is to hear.
package protocol ControlErrorConvertible: Error {
    var controlError: ControlError { get }
}

extension ControlError {
    package static func badRequest(_ code: String, _ message: String) -> ControlError {
        ControlError(400, code, message)
    }

    package static func unknownCollection(_ name: String) -> ControlError {
        ControlError(404, "unknownCollection", "no collection is called '\(name)'")
    }

    /// - Parameter concern: what there is of it nevertheless, such as an edit in quarantine.
    package static func unknownRecord(_ id: String, in collection: String, concern: String? = nil) -> ControlError {
        ControlError(
            404, "unknownRecord", "\(collection) has no record \(id)" + (concern.map { ", but \($0)" } ?? ""))
    }

    /// - Parameter candidates: some of the records, for people.
    package static func ambiguousRecord(
        _ id: String, in collection: String, candidates: [String] = []
    ) -> ControlError {
        let named = candidates.isEmpty ? "" : ", such as \(candidates.joined(separator: ", "))"
        return ControlError(
            409, "ambiguousRecord", "several records of \(collection) begin with \(id)\(named): give more of the id")
    }

    package static func unknownHold(_ id: Int64) -> ControlError {
        ControlError(404, "unknownHold", "there is no hold \(id)")
    }

    package static func unknownHoldKind(_ kind: String, ofHold id: Int64) -> ControlError {
        ControlError(409, "unknownHoldKind", "hold \(id) is a '\(kind)', which this version can't decide: upgrade it")
    }

    package static func unknownQuarantined(_ id: Int64) -> ControlError {
        ControlError(404, "unknownQuarantined", "nothing in the quarantine has the number \(id)")
    }

    /// The item stands for others, which are not listed.
    package static func standsForOthers(_ id: Int64) -> ControlError {
        ControlError(
            409, "standsForOthers",
            "item \(id) only says that there are more: they are listed after a restart, as far as there is room then")
    }

    /// What lost the conflict can't be written back: a rule of its fields decides, whenever it is written.
    package static func restoresNothing(_ entry: LedgerEntry) -> ControlError {
        let names = entry.fields.joined(separator: ", ")
        return ControlError(
            409, "restoresNothing",
            "nothing was written: the rule of \(names.isEmpty ? "its fields" : names) keeps what is there, however late the "
                + "other is written")
    }

    /// What lost the conflict is a part of a record that is gone, and the rest of it is not known any more.
    package static func restoresNothing(_ defect: Defect) -> ControlError {
        ControlError(
            409, "restoresNothing",
            "nothing was written: the record was deleted, and what is still known of it is none: \(defect.message)")
    }

    /// Nothing is changed in a collection that goes nowhere.
    package static func notEnabled(_ collection: CollectionID) -> ControlError {
        ControlError(
            409, "notEnabled",
            "nothing was changed: the collection \(collection) is not enabled (collections.enabled does not name it)")
    }

    package static func unknownConflict(_ id: Int64) -> ControlError {
        ControlError(404, "unknownConflict", "there is no conflict \(id)")
    }

    package static func unknownPlugin(_ name: String) -> ControlError {
        ControlError(404, "unknownPlugin", "no plugin is called '\(name)': the configuration names them")
    }

    /// Not all changes after `after` are kept, only those after `kept`: the listener must read the records anew.
    package static func gone(after: Int64, kept: Int64) -> ControlError {
        ControlError(
            410, "gone",
            "the changes after \(after) are no longer kept, only those after \(kept): read the records anew")
    }

    /// There was no change `after` yet: the number is that of another state's feed.
    package static func ahead(after: Int64, last: Int64) -> ControlError {
        ControlError(
            410, "gone",
            "there is no change \(after): the last one is \(last), as after another state: read the records anew")
    }

    /// The disk does not take it, or does not give it.
    ///
    /// - Parameter reason: may say by itself that it is about the state.
    package static func stateFailed(_ reason: String) -> ControlError {
        let isComplete = reason.hasPrefix("the state ")
        return ControlError(500, "stateFailed", isComplete ? reason : "the state can't be written: \(reason)")
    }

    package static let verifying = ControlError(
        409, "verifying", "a comparison with the remote is under way already: try again when it has ended")

    package static let backingUp = ControlError(
        409, "backupUnderWay", "another backup is under way: try again when it has ended")

    package static func notYet(_ what: String) -> ControlError {
        ControlError(501, "notYet", "\(what) is not available in this version")
    }
}

extension ControlError: Codable {
    private enum CodingKeys: String, CodingKey { case error }

    private struct Words: Codable {
        var code: String
        var message: String
    }

    /// Reads the wire form, which has no status: ``status`` is 500 until the reader sets it.
    package init(from decoder: any Decoder) throws {
        let words = try decoder.container(keyedBy: CodingKeys.self).decode(Words.self, forKey: .error)
        self.init(500, words.code, words.message)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Words(code: code, message: message), forKey: .error)
    }
}
