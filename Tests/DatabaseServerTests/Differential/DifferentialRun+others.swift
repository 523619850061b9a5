import FirebaseWire
import Foundation
import JSONText
import SyncModel
import TestSupport

extension DifferentialRun {
    /// The server's time is between that before and after the request.
    mutating func timestamp(_ database: String, _ path: [String]) async throws {
        func now() -> Int64 { Int64(Date().timeIntervalSince1970 * 1000) }
        let before = now()
        let found = try await send("PUT", path, database, body: [".sv": "timestamp"])
        guard case .integer(let time) = found.value, (before - 1...now() + 1).contains(time) else {
            throw Differs(description: "not the time: \(found.value)")
        }
        models[database, default: ModelTree()].set(path[...], to: ModelTree(found.value))
    }

    /// Writes that commute, at the same time: they may be stored together or not.
    mutating func manyAtOnce(_ database: String, _ path: [String]) async throws {
        var bodies: [String: JSONValue] = [:]
        for _ in 0..<12 { bodies[random.chance(50) ? "r\(random.below(150))" : random.key()] = random.value() }
        for (key, body) in bodies {
            models[database, default: ModelTree()].set((path + [key])[...], to: ModelTree(body))
        }
        let (base, client) = (URLPath.resource(path.joined(separator: "/")).dropLast(5), client)
        story.append("at once PUT \(base)/… \(JSONWriter.string(.object(bodies)).prefix(700))")
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for (key, body) in bodies {
                let place = "\(base == "/" ? "" : base)\(URLPath.resource(key))?ns=\(database)"
                group.addTask {
                    try await client.send(
                        "PUT", place, JSONWriter.string(body), ["Authorization": "Bearer owner"]
                    ).status
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        guard statuses == [200] else { throw Differs(description: "answered \(statuses)") }
    }

    /// What is refused changes nothing.
    mutating func refused(_ database: String, _ path: [String]) async throws {
        let (method, body): (String, JSONValue) = random.pick([
            ("PUT", ["a.b": 1]), ("PUT", ["ok": 1, "x": [".sv": "nonsense"]]), ("POST", ["": 1]),
            ("PATCH", ["a": 1, "a/b": 2]), ("PATCH", ["ok": 1, "b$": 2]), ("PATCH", [1]), ("PATCH", ["a": ["c#": 1]]),
        ])
        _ = try await send(method, path, database, body: body, status: 400)
        try await compare(database, path)
    }

    // MARK: Reading

    mutating func query(_ database: String, _ path: [String]) async throws {
        let query = random.query()
        let wanted = query.selected(model(database)[path[...]])
        let found = try await send("GET", path, database, query: query.description).value
        if wanted.isEmpty, found == .object([:]) || found == .null { return }
        try check(found, wanted.shown, "query")
    }

    mutating func read(_ database: String, _ path: [String]) async throws {
        if random.chance(70) {
            try await compare(database, path)
            return
        }
        let here = model(database)[path[...]]
        let wanted =
            here.leaf.map(ModelTree.init) ?? ModelTree(children: here.children.mapValues { _ in ModelTree(true) })
        // Nothing says whether keys that are indices come as an array here.
        let found = ModelTree(try await send("GET", path, database, query: "?shallow=true").value)
        try check(found.shown, wanted.shown, "shallow")
    }
}
