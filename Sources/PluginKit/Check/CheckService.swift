package import SyncModel

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
