internal import SyncModel

extension AdmittedVersion {
    /// Whether it is a first write without a condition, over one of `node` that its author had not seen: nothing of that is
    /// left in it. With one stamp for the record that tells nothing, and only what stood there before ours is known for one.
    func isBlind(for node: NodeID, _ context: StepContext) -> Bool {
        guard context.namesReplaced, replaces == nil else { return false }
        return context.rules.byRecord ? isAheadOfEcho : fieldStamps.newest(of: node) == nil
    }

    /// The latest edit of `node` that its author has surely read, unless it was merged: one that is left of those, or the
    /// one that gave its stamp to the version which it names as the one that it replaced. Nil where there is none.
    ///
    /// - Parameter edits: that node's own, as far as nothing has ended them. What is not above `floor` tells nothing.
    func newestRead(of node: NodeID, among edits: FieldStamps, above floor: Stamp?) -> Stamp? {
        let replaced = replaces.flatMap { $0.node == node && edits.contains($0) ? $0 : nil }
        return [fieldStamps.newest(of: node), replaced].compactMap(\.self).filter { $0 > floor ?? .zero }.max()
    }
}

extension FieldStamps {
    /// The latest that an edit of `node` gave; nil where it gave none.
    func newest(of node: NodeID) -> Stamp? {
        ([common] + named.values).filter { $0.node == node }.max()
    }

    /// Whether an edit with this stamp gave one of them.
    func contains(_ stamp: Stamp) -> Bool { common == stamp || named.values.contains(stamp) }

    /// Whether all that are above `stamp` were given by `node`.
    func isAll(by node: NodeID, above stamp: Stamp) -> Bool {
        ([common] + named.values).allSatisfy { $0 <= stamp || $0.node == node }
    }

    /// Whether an edit before `stamp` gave one of them; the zero stamp is nobody's.
    func isAny(below stamp: Stamp) -> Bool {
        ([common] + named.values).contains { $0 != .zero && $0 < stamp }
    }
}
