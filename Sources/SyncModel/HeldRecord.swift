/// A record that a hold names, with what waits there: the operation of a journal line, or the body that was shown.
package struct HeldRecord: Hashable, Sendable {
    package var number: Int64
    package var hold: Int64
    package var key: RecordKey
    package var payload: [UInt8]?
    /// When the record was edited last, as far as this node knew when it began to wait: zero where there was none, nil where
    /// an earlier release did not note it.
    package var lastEdit: Stamp?
    /// Of an operation; nil too where an earlier release did not note it.
    package var source: LineSource?

    package init(
        number: Int64, hold: Int64, key: RecordKey, payload: [UInt8]?, lastEdit: Stamp?, source: LineSource?
    ) {
        self.number = number
        self.hold = hold
        self.key = key
        self.payload = payload
        self.lastEdit = lastEdit
        self.source = source
    }
}
