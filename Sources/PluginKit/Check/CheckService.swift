package import SyncModel

/// What is done with lines while a check can't be asked.
package enum WhenDown: String, CaseIterable, Sendable {
    /// They wait.
    case wait
    /// They are taken unchecked.
    case accept
    /// They are refused.
    case refuse
}

/// One check of a collection.
package struct CheckRule: Hashable, Sendable {
    package var name: String
    package var whenDown: WhenDown

    package init(name: String, whenDown: WhenDown) {
        self.name = name
        self.whenDown = whenDown
    }
}

/// What a check says about a record.
package enum CheckAnswer: Hashable, Sendable {
    case fine
    /// The record as it should be.
    case completed([String: JSONValue])
    /// One line: what is wrong with it.
    case refused(String)
    /// It can't be asked now, and why.
    case down(String)
}

/// Programs that accept, refuse or complete what lines of the journal make of records, before anything is stored.
///
/// Never asked about what comes from the remote: nodes that have a check and nodes that have none would not agree.
package protocol CheckService: Sendable {
    /// Whether there may be checks at all; who asks is not kept waiting.
    var mayBeAny: Bool { get }

    /// The checks of a collection, in the order they are asked.
    func checks(of collection: CollectionID) async -> [CheckRule]

    /// Asks one about a whole record; returns within seconds.
    func ask(_ check: String, about fields: [String: JSONValue], in collection: CollectionID) async -> CheckAnswer
}

/// No checks at all.
package struct NoChecks: CheckService {
    package init() {}

    package var mayBeAny: Bool { false }

    package func checks(of collection: CollectionID) async -> [CheckRule] { [] }

    package func ask(
        _ check: String, about fields: [String: JSONValue], in collection: CollectionID
    ) async -> CheckAnswer { .fine }
}
