public import SyncModel

/// Examples of a collection's records, from which the suite makes all others.
public struct CollectionSamples: Sendable {
    /// What programs write and ``CollectionPlugin/validated(_:)`` takes.
    public var accepted: [[String: JSONValue]]
    /// What it refuses.
    public var refused: [[String: JSONValue]]
    /// What apps without stamps write and ``CollectionPlugin/normalized(_:)`` takes.
    public var foreign: [[String: JSONValue]]
    /// What it refuses.
    public var unreadable: [[String: JSONValue]]

    /// - Parameter accepted: at least one, and one with every known field.
    public init(
        accepted: [[String: JSONValue]], refused: [[String: JSONValue]] = [], foreign: [[String: JSONValue]] = [],
        unreadable: [[String: JSONValue]] = []
    ) {
        self.accepted = accepted
        self.refused = refused
        self.foreign = foreign
        self.unreadable = unreadable
    }
}
