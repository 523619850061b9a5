/// Gathers the data of whole events out of an event stream, for streams whose events are small.
package struct WholeEvents: Sendable {
    private var reader: EventStreamReader
    private var data: [UInt8] = []

    /// - Parameter maxData: the bytes that one event may have.
    package init(maxData: Int) { reader = EventStreamReader(earlyLimit: maxData) }

    /// The data of the events that `bytes` completes. Throws ``EventStreamError``.
    package mutating func read(_ bytes: ArraySlice<UInt8>) throws -> [[UInt8]] {
        var whole: [[UInt8]] = []
        try reader.read(bytes) { part in
            switch part {
            case .began: data = []
            case .data(let piece): data += piece
            case .ended: whole.append(data)
            }
        }
        return whole
    }
}
