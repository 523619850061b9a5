internal import DatabaseTree
internal import FirebaseWire

/// All that a client has planned as one write: whoever listens is told of it once, and sees nothing in between. Clients of
/// Google's count on that (`testOnDisconnectTriggersSingleLocalValueEventForReader` of its iOS library).
extension DisconnectPlan {
    /// More entries than these are written in their order, each for itself.
    private static let mostCombined = 1000

    /// The one write that does what `orders` do one after the other; nil where there is none.
    static func combined(_ orders: [WriteOrder]) -> WriteOrder? {
        guard orders.count > 1, orders.reduce(0, { $0 + $1.entries.count }) <= mostCombined else { return nil }
        var parts: [WriteOrder.Entry] = []
        for order in orders {
            for entry in order.entries {
                guard add((order.base.appending(entry.path), entry.value), to: &parts) else { return nil }
            }
        }
        guard let sorted = try? PatchBody.ordered(parts, \.path), let first = sorted.first?.path else { return nil }
        guard sorted.count > 1 else { return WriteOrder(put: sorted[0].value, at: first) }
        let shared = sorted.dropFirst().reduce(first.keys.count) { count, part in
            zip(first.keys, part.path.keys).prefix(count).prefix { $0 == $1 }.count
        }
        let base = WirePath(first.keys.prefix(shared))
        return WriteOrder(
            .patch, at: base, sorted.compactMap { part in base.relative(part.path).map { ($0, part.value) } })
    }

    /// False where what comes of it depends on what stands in the database.
    private static func add(_ entry: WriteOrder.Entry, to parts: inout [WriteOrder.Entry]) -> Bool {
        parts.removeAll { entry.path.contains($0.path) }
        guard let index = parts.firstIndex(where: { $0.path.contains(entry.path) }) else {
            parts.append(entry)
            return true
        }
        guard !entry.value.hasIncrement, let below = parts[index].path.relative(entry.path),
            let value = parts[index].value.putting(entry.value, at: below.keys[...])
        else { return false }
        parts[index].value = value
        return true
    }
}

extension WriteValue {
    /// This with another value in it; nil where a priority has a part in that.
    fileprivate func putting(_ value: WriteValue, at keys: ArraySlice<WireKey>) -> WriteValue? {
        guard let key = keys.first else { return value }
        guard key != .priority else { return nil }
        var members: [Member] = []
        if case .object(let present) = self {
            guard !present.contains(where: { $0.key.isPseudo }) else { return nil }
            members = present
        } else if value == .null {
            return self
        }
        let index = members.indices.partitionPoint { !(members[$0].key < key) }
        let isThere = index < members.count && members[index].key == key
        guard let new = (isThere ? members[index].value : .null).putting(value, at: keys.dropFirst()) else {
            return nil
        }
        if isThere { members.remove(at: index) }
        if new != .null { members.insert(Member(key, new), at: index) }
        return members.isEmpty ? .null : .object(members)
    }
}
