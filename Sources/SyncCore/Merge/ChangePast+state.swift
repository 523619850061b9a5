internal import JSONText
internal import SyncModel

extension ChangePast {
    /// What a step ended that left a record in `state`; nil where there is nothing to note.
    ///
    /// - Parameter before: what a reader saw before the step.
    init?(before: Content?, after state: RecordState, _ rules: MergeRules) {
        guard let before else {
            self.init(was: [:], authors: state.observed == nil ? state.authorsOfCreate(rules) : ["": .app])
            guard !authors.isEmpty else { return nil }
            return
        }
        guard let view = state.view else {
            // Clocks issue even counters: an odd one was derived from the version that is gone.
            let isDerived = state.known.deletion?.isCountedUp ?? false
            self.init(was: before.fields, authors: isDerived ? ["": .app] : [:])
            return
        }
        let (old, new) = (before.fields, view.fields)
        self.init(was: [:])
        for name in Set(old.keys).union(new.keys) where old[name] != new[name] {
            was[name] = old[name] ?? .null
            if state.observed?.stamp(of: name) != nil {
                authors[name] = .app
            } else if let node = state.nodeOfCounted(name, rules) {
                authors[name] = .node(node)
            } else if let node = state.known.live?.stamps.latest(of: name, from: old[name], to: new[name], rules).node,
                node != state.stamp?.node, node != Stamp.zero.node
            {
                authors[name] = .node(node)
            }
        }
    }
}

extension RecordState {
    /// Who set which field of a record that has come into being, where it is not the node of the version's stamp. The last of
    /// them has made it be there: the others' may be older than a delete that they were merged over.
    fileprivate func authorsOfCreate(_ rules: MergeRules) -> [String: ChangePast.Author] {
        guard let live = known.live, !live.stamps.named.isEmpty || live.stamps.common.node != stamp?.node else {
            return [:]
        }
        let last = live.newest.node
        var authors: [String: ChangePast.Author] = last == stamp?.node ? [:] : ["": .node(last)]
        for (name, value) in live.content.fields {
            let node = live.stamps.latest(of: name, to: value, rules).node
            if node != last, node != Stamp.zero.node { authors[name] = .node(node) }
        }
        return authors
    }

    /// Who wrote a number that counts by its own rule, where that is what the remote holds: it carries the stamp of whoever
    /// wrote one last, be it another. Nil where that tells nothing.
    fileprivate func nodeOfCounted(_ name: String, _ rules: MergeRules) -> NodeID? {
        guard rules.isNumber(name), let shown = remote?.stamped, let value = shown.content.fields[name],
            value == view?.fields[name]
        else { return nil }
        let stamp = shown.stamps.stamp(of: name, value: value, rules)
        return stamp == .zero ? nil : stamp.node
    }
}
