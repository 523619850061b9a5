import FirebaseWire
import JSONText
import SyncModel
import TestSupport

extension DifferentialRun {
    /// Sends one random request and compares its answer.
    mutating func request() async throws {
        let database = random.pick(DifferentialRun.databases)
        let path = random.path()
        switch random.below(100) {
        case 0..<22: try await put(database, path)
        case 22..<40: try await patch(database, path)
        case 40..<45: try await post(database, path)
        case 45..<55: try await delete(database, path)
        case 55..<63: try await conditional(database, path)
        case 63..<67: try await timestamp(database, path)
        case 67..<71: try await manyAtOnce(database, path)
        case 71..<75: try await refused(database, path)
        case 75..<87: try await query(database, path)
        default: try await read(database, path)
        }
    }

    // MARK: Writing

    private mutating func content(_ path: [String]) -> JSONValue {
        if path == ["big"] { return random.large() }
        if path.first == "big", random.chance(60) { return random.row() }
        return random.chance(15) ? increments() : random.value()
    }

    private mutating func increments() -> JSONValue {
        func one(_ delta: JSONValue) -> JSONValue { .object([".sv": .object(["increment": delta])]) }
        let first = one(random.pick([1, -3, .integer(.max), .number(0.5)]))
        return random.chance(50) ? first : .object(["n": first, "a": .array([one(1), random.value(depth: 3)])])
    }

    private mutating func put(_ database: String, _ path: [String]) async throws {
        let body = content(path)
        let isSilent = random.chance(20)
        let stored = ModelTree(model(database)[path[...]].resolving(body))
        models[database, default: ModelTree()].set(path[...], to: stored)
        let query = isSilent ? "?print=silent" : "?"
        let found = try await send("PUT", path, database, body: body, query: query, status: isSilent ? 204 : 200)
        if !isSilent { try check(found.value, stored.shown, "PUT") }
    }

    private mutating func patch(_ database: String, _ path: [String]) async throws {
        var entries: [[String]: JSONValue] = [:]
        for _ in 0..<(1 + random.below(path.first == "big" ? 30 : 4)) {
            var place = path == ["big"] ? ["r\(random.below(150))"] : [random.key()]
            while random.chance(35), path.count + place.count < 8 { place.append(random.key()) }
            let meets = entries.keys.contains { $0.starts(with: place) || place.starts(with: $0) }
            if !meets { entries[place] = random.chance(25) ? .null : content(path + place) }
        }
        var members: [String: JSONValue] = [:]
        var wanted: [String: JSONValue] = [:]
        let before = model(database)
        for (place, body) in entries {
            let stored = ModelTree(before[(path + place)[...]].resolving(body))
            models[database, default: ModelTree()].set((path + place)[...], to: stored)
            members[place.joined(separator: "/")] = body
            wanted[place.joined(separator: "/")] = stored.shown
        }
        let found = try await send("PATCH", path, database, body: .object(members))
        try check(found.value, .object(wanted), "PATCH")
    }

    private mutating func post(_ database: String, _ path: [String]) async throws {
        let body = random.value()
        let found = try await send("POST", path, database, body: body)
        guard let name = found.value.members?["name"]?.text, name.utf8.count == 20 else {
            throw Differs(description: "POST answered \(found.value)")
        }
        models[database, default: ModelTree()].set((path + [name])[...], to: ModelTree(body))
        try await compare(database, path + [name])
    }

    private mutating func delete(_ database: String, _ path: [String]) async throws {
        models[database, default: ModelTree()].set(path[...], to: ModelTree())
        try check(try await send("DELETE", path, database).value, .null, "DELETE")
    }

    private mutating func conditional(_ database: String, _ path: [String]) async throws {
        let current = try await compare(database, path)
        let here = model(database)[path[...]].shown
        let given = random.chance(50) ? current : random.pick(contents.keys.sorted() + ["null_etag", "none"])
        let stored = random.chance(30) ? JSONValue.null : random.value()
        let method = stored == .null ? "DELETE" : "PUT"
        let holds = given == current
        let found = try await send(
            method, path, database, body: stored == .null ? nil : stored, headers: ["if-match": given],
            status: holds ? 200 : 412)
        if holds {
            models[database, default: ModelTree()].set(path[...], to: ModelTree(stored))
            try check(found.value, ModelTree(stored).shown, "conditional \(method)")
        } else {
            try check(found.value, here, "412")
            guard found.etag == current else { throw Differs(description: "412 has ETag \(found.etag ?? "none")") }
        }
        try await compare(database, path)
    }
}
