/// What a step on a record needs besides the record.
package struct StepContext: Sendable {
    package let rules: MergeRules
    /// This machine's clock, milliseconds since 1970.
    package let wall: UInt64

    package init(rules: MergeRules, wall: UInt64) {
        self.rules = rules
        self.wall = wall
    }
}
