/// What a step on a record needs besides the record.
package struct StepContext: Sendable {
    package let rules: MergeRules
    /// What stamps are made from, milliseconds since 1970: this machine's clock, or the server's (``StampPolicy/stampTime``).
    package let wall: UInt64
    /// Whether each version names the one that it replaces (``RemoteStamps/replaces``).
    package let namesReplaced: Bool
    /// Whether the remote has a tombstone for each delete.
    package let keepsTombstones: Bool

    package init(rules: MergeRules, wall: UInt64, namesReplaced: Bool, keepsTombstones: Bool) {
        self.rules = rules
        self.wall = wall
        self.namesReplaced = namesReplaced
        self.keepsTombstones = keepsTombstones
    }
}
