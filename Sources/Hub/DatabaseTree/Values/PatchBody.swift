package import FirebaseWire

/// The body of a `PATCH`: values to put at several places at once, all or none.
package struct PatchBody: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// Relative to the request's path; has at least one key. The last one may be ``WireKey/priority``.
        package let path: WirePath
        /// Null deletes.
        package let value: WriteValue
    }

    /// In the order of their paths, priorities last; no path is equal to or above another.
    package let entries: [Entry]
    package let hasPriorities: Bool
    package let hasServerValues: Bool

    /// Reads the JSON text of an object whose keys are relative paths; nil where it is `null`.
    ///
    /// Throws a refusal (400) where it is anything else, a key is no path, a value can't be stored, or one path is
    /// equal to or above another.
    /// - Parameter base: the path of the request; counts for the depth.
    package init?(_ text: UnsafeBufferPointer<UInt8>, base: WirePath) throws(Refusal) {
        try self.init(text, of: text, from: 0, base: base)
    }

    /// The same, for a text that is a piece of `whole` and begins at `start` in it.
    init?(
        _ text: UnsafeBufferPointer<UInt8>, of whole: UnsafeBufferPointer<UInt8>, from start: Int, base: WirePath
    ) throws(Refusal) {
        let patch = try PutBodyReader.reading(text, of: whole, from: start) { reader throws(Refusal) -> PatchBody? in
            guard let count = try reader.members() else { return nil }
            var entries: [Entry] = []
            entries.reserveCapacity(count)
            for _ in 0..<count { entries.append(try PatchBody.entry(&reader, base)) }
            return PatchBody(try PatchBody.ordered(entries, \.path), reader)
        }
        guard let patch else { return nil }
        self = patch
    }

    private init(_ entries: [Entry], _ reader: PutBodyReader) {
        self.entries = entries
        hasPriorities = reader.hasPriorities
        hasServerValues = reader.hasServerValues
    }

    static func entry(_ reader: inout PutBodyReader, _ base: WirePath) throws(Refusal) -> Entry {
        let text = reader.key()
        // Nearly all paths are one key.
        if text.utf8.offset(of: UInt8(ascii: "/")) == nil, let key = WireKey(text) {
            guard base.keys.count < WirePath.maxDepth else { throw .tooDeep }
            return Entry(path: WirePath([key]), value: try reader.value(depth: base.keys.count + 1))
        }
        var keys: [WireKey] = []
        let segments = text.pieces(between: "/")
        for (index, segment) in segments.enumerated() {
            if index == segments.count - 1, segment == ".priority" {
                return Entry(path: WirePath(keys + [.priority]), value: try reader.priority())
            }
            guard let key = WireKey(segment) else { throw reader.illegalKey() }
            keys.append(key)
        }
        guard !keys.isEmpty else { throw reader.illegalKey() }
        let depth = base.keys.count + keys.count
        guard depth <= WirePath.maxDepth else { throw .tooDeep }
        return Entry(path: WirePath(keys), value: try reader.value(depth: depth))
    }

    /// Throws a refusal where one of `entries` is written by another too.
    package static func ordered<Entry>(_ entries: [Entry], _ path: (Entry) -> WirePath) throws(Refusal) -> [Entry] {
        var places = entries.enumerated().map { index, entry in Place(path(entry), index) }
        places.sort { $0.precedes($1) }
        for (earlier, later) in zip(places, places.dropFirst()) where earlier.contains(later) {
            throw .overlapping(earlier.path, later.path)
        }
        let priorities = places.filter(\.path.isPriority)
        if !priorities.isEmpty { places = places.filter { !$0.path.isPriority } + priorities }
        return places.map { entries[$0.index] }
    }

    /// Where an entry stands among the others.
    private struct Place {
        /// The first bytes of the first key, which mostly tell two apart; no key has a zero among them.
        private let beginning: UInt64
        let path: WirePath
        let index: Int

        init(_ path: WirePath, _ index: Int) {
            self.path = path
            self.index = index
            beginning = path.keys.first?.text.utf8.beginning ?? 0
        }

        func precedes(_ other: Place) -> Bool {
            beginning == other.beginning ? path < other.path : beginning < other.beginning
        }

        func contains(_ other: Place) -> Bool {
            (beginning == other.beginning || path.isRoot) && path.contains(other.path)
        }
    }
}

extension String.UTF8View {
    /// The first eight bytes as a number, zeros where there are fewer: greater where they come later in byte order.
    fileprivate var beginning: UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 64
        for byte in self {
            shift -= 8
            number |= UInt64(byte) << shift
            if shift == 0 { break }
        }
        return number
    }
}
