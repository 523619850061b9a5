import SyncCore
import SyncModel

/// A promise that a run broke.
struct BrokenPromise: Hashable, CustomStringConvertible {
    enum Kind: String { case convergence, editLost, returned, stamps, idle }

    var kind: Kind
    var what: String
    var description: String { "\(kind.rawValue): \(what)" }
}

extension SimulatedWorld {
    /// Runs a whole scenario: a storm, rest, a delete that nobody contradicts amid faults, rest, a second look.
    static func run(_ scenario: Scenario) -> (broken: [BrokenPromise], log: [String]) {
        var world = SimulatedWorld(scenario)
        var broken: [BrokenPromise] = []
        world.storm(steps: 160, edits: true)
        broken += world.rest(after: "the storm")
        if broken.isEmpty {
            if scenario.app, scenario.seed % 2 == 0 { world.appDeletes() } else { world.nodeDeletes() }
            world.storm(steps: 80, edits: false)
            broken += world.rest(after: "the delete")
            if world.remote.node != nil { broken.append(.init(kind: .returned, what: "the record is on the remote")) }
            for node in world.nodes where node.state.local?.content != nil {
                broken.append(.init(kind: .returned, what: "node \(node.clock.node) has the record again"))
            }
        }
        return (broken, world.log)
    }

    /// Lets everything come to rest, and checks what must hold then.
    private mutating func rest(after what: String) -> [BrokenPromise] {
        guard calm() else { return [.init(kind: .convergence, what: "no rest after \(what)")] }
        let broken = differences() + lostEdits() + nodes.flatMap(\.faults).map { .init(kind: .stamps, what: $0) }
        if !broken.isEmpty { return broken.map { .init(kind: $0.kind, what: "after \(what), \($0.what)") } }
        return secondLook(after: what)
    }

    /// Where all is equal, seeing everything once more causes no request.
    private mutating func secondLook(after what: String) -> [BrokenPromise] {
        let requests = remote.requests
        cutAllStreams()
        guard calm() else { return [.init(kind: .idle, what: "no rest when all is seen again after \(what)")] }
        let more = remote.requests - requests
        return more == 0 ? [] : [.init(kind: .idle, what: "\(more) requests for what is known, after \(what)")]
    }

    /// What differs between nodes and remote.
    private func differences() -> [BrokenPromise] {
        var broken: [BrokenPromise] = []
        func note(_ node: SimulatedNode, _ what: String) {
            broken.append(.init(kind: .convergence, what: "node \(node.clock.node) \(what)\n\(node.story)"))
        }
        for node in nodes {
            if node.pending { note(node, "has something pending") }
            if node.state.shadowedEdit != nil { note(node, "keeps an edit for later") }
            if node.state.local?.content != remote.node?.content { note(node, "holds other content than the remote") }
            if let stamp = remote.node?.stamp, node.state.local?.stamp != stamp { note(node, "has another stamp") }
            if node.state.remote?.content != remote.node?.content { note(node, "has another base than the remote") }
            if node.state.remote?.stamp != remote.node?.stamp { note(node, "has another stamp in its base") }
            if let stamp = remote.node?.stamp, let end = remote.tombstone?.stamp, end > stamp {
                note(node, "leaves a record that a tombstone is above")
            }
            if keepsTombstones, remote.node == nil, node.state.tombstone?.stamp != remote.tombstone?.stamp {
                note(node, "knows another tombstone than the remote")
            }
        }
        if keepsTombstones, remote.node == nil, Set(nodes.map(\.state.local?.stamp)).count > 1 {
            broken.append(.init(kind: .convergence, what: "the nodes give the delete different stamps"))
        }
        return broken
    }

    /// Edits that are neither there, nor superseded by a higher stamp, nor in a ledger.
    private func lostEdits() -> [BrokenPromise] {
        let ledger = nodes.flatMap(\.ledger)
        var broken: [BrokenPromise] = []
        for node in nodes {
            guard let final = node.state.local else { continue }
            for edit in node.edits where !ledger.contains(where: { $0.stamp == edit.stamp && $0.hash == edit.hash }) {
                if edit.stamp > final.stamp {
                    broken.append(.init(kind: .editLost, what: "\(edit) is above \(final)"))
                } else if edit.stamp == final.stamp, edit.hash != final.hash {
                    broken.append(.init(kind: .editLost, what: "\(edit) became \(final)"))
                }
            }
        }
        guard !scenario.app, let highest = nodes.flatMap(\.edits).max(by: { $1.beats($0) }) else { return broken }
        for node in nodes where node.state.local?.stamp != highest.stamp || node.state.local?.hash != highest.hash {
            if highest.deleted, node.state.local?.deleted ?? true { continue }
            broken.append(.init(kind: .editLost, what: "the newest edit is \(highest)"))
        }
        return broken
    }
}
