internal import FirebaseWire
internal import SyncModel

/// Keeps the data of a `patch` as long as it may be a request of this process that comes back as a whole: nothing of it is to
/// be read then.
struct WholeEcho {
    private static let beginning = Array(#"{"path":"/","data":"#.utf8)
    /// So far a key is looked for.
    private static let keyLimit = 1024

    private let keyspace: Keyspace
    private let sent: SentEntries
    private var kept: [UInt8] = []
    private var request: SentRequest?
    /// It is none.
    private var isOther = false

    init(keyspace: Keyspace, sent: SentEntries) {
        self.keyspace = keyspace
        self.sent = sent
    }

    /// Takes the next bytes of the data; gives what is to be read, as it is no echo.
    mutating func take(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if isOther { return bytes }
        kept += bytes
        switch (request, firstKey) {
        case (nil, .missing): return []
        case (nil, .key(let key)): request = sent.request(beginningWith: key, in: keyspace)
        default: break
        }
        // The time is shorter than what asks for it.
        if let request, kept.count < Self.beginning.count + request.size { return [] }
        return takeKept()
    }

    /// The data is over: gives what was written, and the database's time of it; nil where it is something else, and what is
    /// kept is to be read.
    mutating func end() -> RemoteEvent? {
        guard let request, kept.last == UInt8(ascii: "}"),
            let time = request.serverTime(in: kept.dropFirst(Self.beginning.count).dropLast())
        else { return nil }
        sent.forget(request)
        return .echoed(request.elements, serverTime: time)
    }

    /// What was kept is to be read, and so is what comes.
    mutating func takeKept() -> ArraySlice<UInt8> {
        defer { kept = [] }
        (request, isOther) = (nil, true)
        return kept[...]
    }

    private enum FirstKey {
        case missing
        case none
        case key(ArraySlice<UInt8>)
    }

    private var firstKey: FirstKey {
        let start = Self.beginning.count + 2
        guard kept.count > start else { return .missing }
        let quote = UInt8(ascii: "\"")
        guard kept.starts(with: Self.beginning), kept[start - 2] == UInt8(ascii: "{"), kept[start - 1] == quote else {
            return .none
        }
        guard let end = kept[start...].prefix(Self.keyLimit).firstIndex(of: quote) else {
            return kept.count < start + Self.keyLimit ? .missing : .none
        }
        return .key(kept[start..<end])
    }
}
