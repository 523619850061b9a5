internal import FirebaseWire
internal import JSONText
internal import SyncModel
internal import Synchronization

/// A place on the way to what an outline writes: some of its entries are below.
struct OutlineBetween: Sendable {
    /// The keys from here to the path of the request.
    var above: ArraySlice<WireKey>
    /// The entries of the patch that are below.
    var entries: Range<Int>
    /// Those that are priorities.
    var priorities: Range<Int>
    /// What the keys of all of them begin with.
    var prefix: [UInt8] = []
    /// What is stored here.
    var before: Node?

    init(_ outline: Outline, _ before: Node?) {
        above = outline.base.keys[...]
        self.before = before
        if case .patch(let patch) = outline.content {
            entries = 0..<patch.places.count
            priorities = 0..<patch.priorities.count
        } else {
            entries = 0..<0
            priorities = 0..<0
        }
    }
}

/// Looks at a database through an outline: what it would be, of which nothing is made before it is looked at.
final class OutlineSight: Sendable {
    /// A place whose entries only delete.
    private struct Emptied: Hashable {
        let above: Int
        let prefix: Int
        let entries: Range<Int>
    }

    let outline: Outline
    private let before: Root
    private let now: Int64
    /// Whether something is left at places with many children, which takes long to find out.
    private let emptied = Mutex<[Emptied: Bool]>([:])

    init(_ outline: Outline, _ before: Root, _ now: Int64) {
        self.outline = outline
        self.before = before
        self.now = now
    }

    func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try outline.text.withUnsafeBufferPointer(body)
    }

    // MARK: What the outline brings

    /// The place of a child, which only those need who add to what is there.
    func place(_ path: WirePath, _ key: WireKey) -> WirePath { outline.hasIncrement ? path.appending(key) : path }

    func brought(_ range: Range<Int>, _ finding: OutlineFinding, _ path: WirePath) -> Outlook {
        switch finding {
        case .nothing: return .stored(nil, self, isBrought: true)
        case .large(let index): return .large(index, path, self)
        case .whole:
            if range.count > OutlineReader.run, outline.text[range.lowerBound] == UInt8(ascii: "\"") {
                return .text(range, self)
            }
            let node = read(range) { reader throws(Refusal) in try reader.value(depth: 0) }
                .flatMap { resolved($0, path) }
            return .stored(node, self, isBrought: !outline.hasIncrement)
        }
    }

    /// The value of what stands under `.sv`.
    func serverValue(_ range: Range<Int>, _ path: WirePath) -> JSONValue? {
        read(range) { reader throws(Refusal) in try reader.serverValue() }.flatMap { resolved($0, path)?.leaf }
    }

    func string(_ range: Range<Int>) -> JSONValue {
        var whole = ""
        whole.reserveCapacity(range.count)
        withText { text in
            // It was checked before.
            try? OutlineReader(text).forEachPiece(of: range) { whole += $0 }
        }
        return .string(whole)
    }

    private func read(
        _ range: Range<Int>, _ body: (inout PutBodyReader) throws(Refusal) -> WriteValue
    ) -> WriteValue? {
        withText { text in try? PutBodyReader.reading(UnsafeBufferPointer(rebasing: text[range]), body) }
    }

    private func resolved(_ value: WriteValue, _ path: WirePath) -> Node? {
        PendingValue(value, hasServerValues: value.hasServerValues)
            .resolved(now: now) { before.value(at: path.appending($0))?.leaf }
    }

    // MARK: What is above it

    func exists(_ place: OutlineBetween) -> Bool { isAnyLive(place) || survives(place) }

    func leaf(_ place: OutlineBetween) -> JSONValue? { isAnyLive(place) ? nil : place.before?.leaf }

    func priority(_ place: OutlineBetween) -> JSONValue? {
        guard exists(place) else { return nil }
        if let range = priorityValue(place) {
            return brought(range, .whole, path(place).appending(.priority)).leaf
        }
        // What loses all it has on the way loses its priority for good.
        var first = place
        first.entries = deletedFirst(place)
        return survives(first) ? place.before?.priority : nil
    }

    func child(_ key: WireKey, _ place: OutlineBetween) -> Outlook {
        let before = place.before?.descend([key])
        guard place.above.isEmpty else {
            guard place.above.first == key else { return .stored(before, self) }
            var inner = place
            inner.above = place.above.dropFirst()
            inner.before = before
            if inner.above.isEmpty, case .value(let finding, let range) = outline.content {
                return brought(range, finding, outline.base)
            }
            return .between(inner, self)
        }
        guard case .patch(let patch) = outline.content, !key.isPseudo else { return .stored(before, self) }
        let inner = withText { text in narrowed(place, key, patch, OutlineKeys(text: text, arePaths: true)) }
        switch inner {
        case .other: return .stored(before, self)
        case .entry(let finding, let range): return brought(range, finding, path(place).appending(key))
        case .between(var inner):
            inner.before = before
            return .between(inner, self)
        }
    }

    func forEachChild(_ place: OutlineBetween, _ body: (WireKey, Outlook) throws -> Bool) rethrows {
        var goesOn = true
        try place.before?.forEachChild { key, _ in
            let child = child(key, place)
            goesOn = try !child.exists || body(key, child)
            return goesOn
        }
        guard goesOn else { return }
        try forEachOwnKey(place) { key in
            guard place.before?.descend([key]) == nil else { return true }
            let child = child(key, place)
            return try !child.exists || body(key, child)
        }
    }

    // MARK: Entries

    private enum Narrowed {
        case other
        case entry(OutlineFinding, Range<Int>)
        case between(OutlineBetween)
    }

    private func narrowed(
        _ place: OutlineBetween, _ key: WireKey, _ patch: OutlinePatch, _ keys: OutlineKeys
    ) -> Narrowed {
        let wanted = place.prefix + Array(key.text.utf8)
        func range(_ places: [UInt32], _ range: Range<Int>) -> Range<Int> {
            let start = keys.lowerBound(wanted, in: places, range)
            // Behind all whose paths go on here.
            let end = keys.lowerBound(
                wanted + [OutlineKeys.separator + 1], in: places, start..<range.upperBound)
            return start..<end
        }
        var inner = place
        inner.entries = range(patch.places, place.entries)
        inner.priorities = range(patch.priorities, place.priorities)
        // What only begins with the key stands outside of the range, but for one that is the key itself.
        guard let first = inner.entries.first else {
            return inner.priorities.isEmpty ? .other : .between(inner.below(wanted))
        }
        let offset = OutlinePlace.offset(patch.places[first])
        guard keys.order(offset, wanted) == 0 else { return .between(inner.below(wanted)) }
        var scan = TextScan(bytes: keys.text, position: offset)
        guard !OutlinePlace.isNothing(patch.places[first]), let value = scan.skipMember(isArray: false)?.value else {
            return .entry(.nothing, 0..<0)
        }
        return .entry(patch.large.finding(value), value)
    }

    private func path(_ place: OutlineBetween) -> WirePath {
        outline.base.appending(WirePath(joined: place.prefix))
    }

    private func isAnyLive(_ place: OutlineBetween) -> Bool {
        switch outline.content {
        case .value(let finding, _): !finding.isNothing
        case .patch(let patch): patch.isAnyLive(place.entries)
        }
    }

    /// The entries that delete something before the first one that stores something.
    private func deletedFirst(_ place: OutlineBetween) -> Range<Int> {
        guard case .patch(let patch) = outline.content else { return place.entries }
        let end = place.entries.first { !OutlinePlace.isNothing(patch.places[$0]) }
        return place.entries.lowerBound..<(end ?? place.entries.upperBound)
    }

    /// Where the value of the priority stands that is written at this place.
    private func priorityValue(_ place: OutlineBetween) -> Range<Int>? {
        guard place.above.isEmpty, case .patch(let patch) = outline.content, !place.priorities.isEmpty else {
            return nil
        }
        let wanted = place.prefix + Array(WireKey.priority.text.utf8)
        return withText { text in
            let keys = OutlineKeys(text: text, arePaths: true)
            let index = keys.lowerBound(wanted, in: patch.priorities, place.priorities)
            guard index < place.priorities.upperBound else { return nil }
            let offset = OutlinePlace.offset(patch.priorities[index])
            guard keys.order(offset, wanted) == 0 else { return nil }
            var scan = TextScan(bytes: text, position: offset)
            return scan.skipMember(isArray: false)?.value
        }
    }

    /// Whether something of what is stored is left where entries only delete.
    private func survives(_ place: OutlineBetween) -> Bool {
        guard let before = place.before else { return false }
        guard case .branch = before else { return isAnyLeft(before, place) }
        let key = Emptied(above: place.above.count, prefix: place.prefix.count, entries: place.entries)
        if let known = emptied.withLock({ $0[key] }) { return known }
        let isLeft = isAnyLeft(before, place)
        emptied.withLock { $0[key] = isLeft }
        return isLeft
    }

    private func isAnyLeft(_ before: Node, _ place: OutlineBetween) -> Bool {
        var (hasChildren, isLeft) = (false, false)
        before.forEachChild { key, _ in
            hasChildren = true
            isLeft = child(key, place).exists
            return !isLeft
        }
        return isLeft || !hasChildren
    }

    /// The keys of the children that the outline writes or has entries below.
    private func forEachOwnKey(_ place: OutlineBetween, _ body: (WireKey) throws -> Bool) rethrows {
        if let key = place.above.first {
            _ = try body(key)
            return
        }
        guard case .patch(let patch) = outline.content else { return }
        var index = place.entries.lowerBound
        while index < place.entries.upperBound {
            let (key, next) = withText { text in
                let keys = OutlineKeys(text: text, arePaths: true)
                let rest = keys.meaning(OutlinePlace.offset(patch.places[index])).dropFirst(place.prefix.count)
                let name = Array(rest.prefix { $0 != OutlineKeys.separator })
                let end = keys.lowerBound(
                    place.prefix + name + [OutlineKeys.separator + 1], in: patch.places,
                    index..<place.entries.upperBound)
                return (WireKey(unchecked: String(decoding: name, as: UTF8.self)), end)
            }
            guard try body(key) else { return }
            index = next
        }
    }
}

extension OutlineBetween {
    fileprivate func below(_ key: [UInt8]) -> OutlineBetween {
        var inner = self
        inner.prefix = key + [OutlineKeys.separator]
        return inner
    }
}
