internal import DatabaseTree
internal import FirebaseWire

/// What a client has asked to be written when its connection ends, in the order of asking.
///
/// A later put takes the place of all that was planned at or below its path; cancelling takes a path out of everything,
/// also out of values that were planned above it.
struct DisconnectPlan: Sendable {
    /// The most writes of one connection.
    static let maxCount = 1000
    /// The most bytes of all of them.
    static let maxBytes = 1 << 20

    private var planned: [(order: WriteOrder, bytes: Int)] = []

    /// Whether another write with so many bytes would be too much.
    func isFull(for bytes: Int) -> Bool {
        planned.count >= DisconnectPlan.maxCount || planned.reduce(bytes) { $0 + $1.bytes } > DisconnectPlan.maxBytes
    }

    /// - Parameter bytes: how long the text is that `order` was read from.
    mutating func add(_ order: WriteOrder, bytes: Int) {
        for entry in order.entries { remove(order.base.appending(entry.path), cutsValues: false) }
        planned.append((order, bytes))
    }

    /// Nothing is written at or below `path`.
    mutating func cancel(_ path: WirePath) { remove(path, cutsValues: true) }

    /// Takes all writes out, in their order.
    mutating func take() -> [WriteOrder] {
        defer { planned = [] }
        return planned.map(\.order)
    }

    private mutating func remove(_ path: WirePath, cutsValues: Bool) {
        for index in planned.indices {
            let base = planned[index].order.base
            var isCut = false
            let rest = planned[index].order.entries.flatMap { entry -> [WriteOrder.Entry] in
                let place = base.appending(entry.path)
                if path.contains(place) { return [] }
                guard cutsValues, let below = place.relative(path), entry.value.has(below.keys[...]) else {
                    return [entry]
                }
                isCut = true
                return DisconnectPlan.without(below.keys[...], entry)
            }
            planned[index].order.entries = rest
            if isCut { planned[index].order.kind = .patch }
        }
        planned.removeAll { $0.order.entries.isEmpty }
    }

    /// What is left of an entry without one place in it: its other parts, each for itself.
    private static func without(_ keys: ArraySlice<WireKey>, _ entry: WriteOrder.Entry) -> [WriteOrder.Entry] {
        guard let key = keys.first, case .object(let members) = entry.value else { return [] }
        return members.flatMap { member in
            let part = (path: entry.path.appending(member.key), value: member.value)
            return member.key == key ? without(keys.dropFirst(), part) : [part]
        }
    }
}

extension WriteValue {
    /// Whether there is something at this path in it.
    fileprivate func has(_ keys: ArraySlice<WireKey>) -> Bool {
        guard let key = keys.first else { return true }
        guard case .object(let members) = self else { return false }
        return members.contains { $0.key == key && $0.value.has(keys.dropFirst()) }
    }
}
