/// Which items of the quarantine to do something about, all at once.
package struct QuarantineOrder: Codable, Hashable, Sendable {
    /// At most ``ControlRoute/maxLimit`` of them.
    package var ids: [Int64]

    package init(ids: [Int64]) { self.ids = ids }
}
