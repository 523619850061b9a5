/// The latest that a node has ever made or seen of a record: a stamp for each field, and for the delete.
///
/// The fields of a deleted record are kept: an edit above the delete brings the record back with them.
package struct KnownVersion: Hashable, Sendable {
    package var fields: StampedContent?
    /// The stamp of the latest delete.
    package var deletion: Stamp?

    package init(fields: StampedContent? = nil, deletion: Stamp? = nil) {
        self.fields = fields
        self.deletion = deletion
    }

    /// The fields where no delete is above all of them.
    package var live: StampedContent? { isLive ? fields : nil }

    /// Whether there are any.
    package var isLive: Bool {
        guard let newest = fields?.newest else { return false }
        return deletion.map { $0 < newest } ?? true
    }

    /// Whether a delete ended the record.
    package var isDeleted: Bool { deletion != nil && !isLive }
}
