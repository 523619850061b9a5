/// What a step on a record needs besides the record.
package struct StepContext: Sendable {
    package let rules: MergeRules
    /// What stamps are made from, milliseconds since 1970: this machine's clock, or the server's (``StampPolicy/stampTime``).
    package let wall: UInt64

    package init(rules: MergeRules, wall: UInt64) {
        self.rules = rules
        self.wall = wall
    }
}
