import ControlAPI
import SyncModel
import TestSupport

extension Node {
    /// What this node does, for those who wait for it: each change that took effect. What else changes its status is
    /// said in its log, at the level debug.
    func hear() -> @Sendable (Bell) async throws -> Void {
        { bell in
            let last = try await self.status().lastChange
            bell.ring()
            try await self.site.hear(self.url("/v1/changes?after=\(last)"), bell)
        }
    }

    /// Rings after each line of the running daemon's log.
    var bells: [Bell] { program.map { [$0.bell] } ?? [] }

    /// Waits until the status says what is wanted.
    @discardableResult
    func until(
        _ what: String, within limit: Duration = .seconds(25),
        _ condition: @escaping @Sendable (StatusSnapshot) -> Bool
    ) async throws -> StatusSnapshot {
        try await TestSupport.until(
            "\(name): \(what)", within: limit, hearing: bells, [hear()],
            detail: { (try? await self.control("GET", "/v1/status"))?.text ?? "no status" }
        ) {
            let status = try await self.status()
            return condition(status) ? status : nil
        }
    }

    /// ``until(_:within:_:)`` for what is neither a change nor a line of the log, like a hold that grows: the status is
    /// asked for again and again, at the pace of the daemon's own waiting.
    func untilAsked(_ what: String, _ condition: @escaping @Sendable (StatusSnapshot) -> Bool) async throws {
        try await within(.seconds(25), "\(name): \(what)") {
            while !condition(try await self.status()) { _ = try await self.control("POST", "/v1/sync?wait=0.2") }
        }
    }

    /// Waits until the records are as wanted.
    func untilRecords(
        _ what: String, of collection: String = "movies",
        _ condition: @escaping @Sendable ([String: [String: JSONValue]]) -> Bool
    ) async throws {
        try await TestSupport.until("\(name): \(what)", hearing: [], [hear()]) {
            condition(try await self.records(collection)) ? () : nil
        }
    }
}

extension Site {
    /// Waits until all nodes and the hub hold the same records, nothing is pending, and their number is `count`.
    func untilEqual(
        _ nodes: [Node], _ hub: Hub, count: Int? = nil, within limit: Duration = .seconds(30)
    ) async throws {
        for node in nodes { try await node.settled(within: limit) }
        try await until(
            "equal libraries", within: limit, hearing: nodes.flatMap(\.bells),
            [hub.hear("/movies")] + nodes.map { $0.hear() }, detail: { await self.difference(nodes, hub) }
        ) { () async throws -> Void? in
            let tree = try await hub.records()
            guard count == nil || tree.count == count else { return nil }
            for node in nodes {
                guard try await node.status().pending == 0, try await node.records() == tree else { return nil }
            }
            return ()
        }
    }

    private func difference(_ nodes: [Node], _ hub: Hub) async -> String {
        let tree = (try? await hub.records()) ?? [:]
        var lines = ["the hub has \(tree.count)"]
        for node in nodes {
            let own = (try? await node.records()) ?? [:]
            let odd = Set(own.keys).union(tree.keys).filter { own[$0] != tree[$0] }
            lines.append("\(node.name) has \(own.count), different: \(odd.sorted().prefix(3))")
            for id in odd.sorted().prefix(2) {
                lines.append("  \(id): \(String(describing: own[id])) hub: \(String(describing: tree[id]))")
            }
        }
        return lines.joined(separator: "\n")
    }
}
