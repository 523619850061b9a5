internal import DatabaseTree
internal import FirebaseWire

/// A write that has changed something, for the listeners.
struct CommittedChange: Sendable {
    let kind: Write.Kind
    let base: WirePath
    /// Paths relative to the base, with what they have now.
    let entries: [(path: WirePath, value: Node?)]
    let before: Root
    let after: Root
}
