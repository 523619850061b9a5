internal import EventStream
internal import FirebaseWire
internal import JSONText
internal import PluginKit
internal import SyncModel

/// Turns the bytes of one event stream into events of a keyspace.
struct StreamInterpreter {
    /// Why nothing more can come on the stream.
    enum Ending: Hashable {
        /// What came is not what a database sends.
        case senseless(String)
        /// `cancel`, with its text: the place may not be read (any more).
        case cancelled(String)
        /// `auth_revoked`: the credential counts no more.
        case revoked
    }

    private var reader = EventStreamReader()
    private var frames: FrameReader

    /// - Parameters:
    ///   - depth: how many keys, one below the other, lead to an entry.
    ///   - sent: what this process wrote.
    init(keyspace: Keyspace, depth: Int = 1, sent: SentEntries = SentEntries()) {
        frames = FrameReader(translator: PutTranslator(keyspace: keyspace, depth: depth, sent: sent))
    }

    /// Set once the stream is of no more use; nothing after that counts.
    private(set) var ending: Ending?

    /// Whether no event is half read.
    var isBetweenEvents: Bool { frames.isBetweenEvents }

    /// Reads the next bytes and returns what is in them, up to the ``ending``.
    mutating func events(in bytes: ArraySlice<UInt8>) -> [RemoteEvent] {
        do {
            try Self.read(bytes, &reader, &frames)
            ending = frames.ending
        } catch {
            ending = .senseless("\(error)")
        }
        return frames.translator.taken()
    }

    private static func read(
        _ bytes: ArraySlice<UInt8>, _ reader: inout EventStreamReader, _ frames: inout FrameReader
    ) throws {
        try reader.read(bytes) { try frames.take($0) }
    }
}

/// Tells the kinds of events apart.
private struct FrameReader {
    private enum Kind { case put, patch, cancel, revoked, other }

    private static let textLimit = 64 << 10

    var translator: PutTranslator
    private(set) var ending: StreamInterpreter.Ending?
    private(set) var isBetweenEvents = true
    private var kind = Kind.other
    private var splitter: PutSplitter
    private var echo: WholeEcho
    private var text: [UInt8] = []

    init(translator: PutTranslator) {
        self.translator = translator
        splitter = translator.newSplitter
        echo = translator.newEcho
    }

    mutating func take(_ part: EventStreamReader.Part) throws {
        guard ending == nil else { return }
        switch part {
        case .began(let name):
            isBetweenEvents = false
            begin(name)
        case .data(let bytes): try take(bytes)
        case .ended:
            isBetweenEvents = true
            try end()
        }
    }

    private mutating func begin(_ name: String) {
        switch name {
        case "put": kind = .put
        case "patch": kind = .patch
        case "cancel": kind = .cancel
        case "auth_revoked": kind = .revoked
        default: kind = .other
        }
        text = []
        splitter = translator.newSplitter
        if kind == .patch { echo = translator.newEcho }
        translator.begin(isPatch: kind == .patch)
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) throws {
        switch kind {
        case .put: try Self.split(bytes, &splitter, &translator)
        case .patch: try Self.split(echo.take(bytes), &splitter, &translator)
        case .cancel: text += bytes.prefix(Self.textLimit - text.count)
        case .revoked, .other: break
        }
    }

    private mutating func end() throws {
        switch kind {
        case .put: try Self.endSplitting(&splitter, &translator)
        case .patch: try endPatch()
        case .cancel: ending = .cancelled(Self.words(text))
        case .revoked: ending = .revoked
        case .other: break
        }
    }

    private mutating func endPatch() throws {
        if let event = echo.end() { return try translator.take(echo: event) }
        try Self.split(echo.takeKept(), &splitter, &translator)
        try Self.endSplitting(&splitter, &translator)
    }

    private static func split(
        _ bytes: ArraySlice<UInt8>, _ splitter: inout PutSplitter, _ translator: inout PutTranslator
    ) throws {
        try splitter.read(bytes) { try translator.take($0) }
    }

    private static func endSplitting(_ splitter: inout PutSplitter, _ translator: inout PutTranslator) throws {
        try splitter.end { try translator.take($0) }
    }

    /// The text of a `cancel`, which may be a JSON string, bare words or null.
    private static func words(_ text: [UInt8]) -> String {
        switch try? JSONReader.value(text) {
        case .string(let words)?: words
        case .null?: ""
        default: String(decoding: text, as: UTF8.self)
        }
    }
}
