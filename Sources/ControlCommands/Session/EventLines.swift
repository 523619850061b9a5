/// Finds the data of each event in the bytes of an event stream, however they are cut.
///
/// Its own, and not the reader of the remote's streams: the control socket writes each event on one line, without a name,
/// and a record of any size must fit.
struct EventLines {
    private var rest: [UInt8] = []

    /// The data of the events that `bytes` completes.
    mutating func data(in bytes: some Sequence<UInt8>) -> [ArraySlice<UInt8>] {
        rest.append(contentsOf: bytes)
        var found: [ArraySlice<UInt8>] = []
        var start = 0
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = rest[start..<end]
            if line.starts(with: "data: ".utf8) { found.append(line.dropFirst(6)) }
            start = end + 1
        }
        rest.removeFirst(start)
        return found
    }
}
