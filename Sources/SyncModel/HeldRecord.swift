/// A record that a hold names, with what waits there: the operation of a journal line, or the body that was shown.
package struct HeldRecord: Hashable, Sendable {
    package var number: Int64
    package var hold: Int64
    package var key: RecordKey
    package var payload: [UInt8]?

    package init(number: Int64, hold: Int64, key: RecordKey, payload: [UInt8]?) {
        self.number = number
        self.hold = hold
        self.key = key
        self.payload = payload
    }
}
