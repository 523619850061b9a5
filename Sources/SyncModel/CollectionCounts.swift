/// How many of what a collection holds.
package struct CollectionCounts: Hashable, Sendable {
    package var records = 0
    package var tombstones = 0
    package var pending = 0
    package var quarantined = 0
    package var conflicts = 0

    package init() {}

    package static func += (left: inout CollectionCounts, right: CollectionCounts) {
        left.records += right.records
        left.tombstones += right.tombstones
        left.pending += right.pending
        left.quarantined += right.quarantined
        left.conflicts += right.conflicts
    }
}
