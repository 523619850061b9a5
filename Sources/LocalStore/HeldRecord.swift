package import SyncModel

/// A record that a hold names, with the operation that waits there, if any.
package struct HeldRecord: Hashable, Sendable {
    package var number: Int64
    package var hold: Int64
    package var key: RecordKey
    package var payload: [UInt8]?
}
