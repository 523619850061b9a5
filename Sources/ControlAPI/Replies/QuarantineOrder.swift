/// Which items of the quarantine to do something about, all at once.
package struct QuarantineOrder: ControlOrder, Codable, Hashable, Sendable {
    /// At most ``ControlRoute/maxLimit`` of them.
    package var ids: [Int64]

    private enum CodingKeys: String, CodingKey, CaseIterable { case ids }

    package static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }

    package init(ids: [Int64]) { self.ids = ids }
}
