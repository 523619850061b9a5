import JSONText
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer
@testable import FirebaseWire

/// Random writes over sessions and REST, against a naive model: whoever listens knows at each answer what the model
/// says.
@Suite(.inTurn, .timeLimit(.minutes(3)))
struct SocketDifferentialTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func `sessions, REST and model agree`(seed: UInt64) async throws {
        try await withServer { client in
            try await client.withSocket("v=5") { first in
                try await client.withSocket("v=5") { second in
                    var run = SocketRun(seed: seed, client: client, session: HeardSession(first), other: second)
                    do {
                        try await run.run(steps: 150)
                    } catch {
                        Issue.record("seed \(seed): \(error)\nafter:\n\(run.story.suffix(8).joined(separator: "\n"))")
                    }
                }
            }
        }
    }
}

/// One run of one seed.
private struct SocketRun {
    let client: TestClient
    let session: HeardSession
    let other: SocketClient
    var random: SeededRandom
    var model = ModelTree()
    var story: [String] = []

    init(seed: UInt64, client: TestClient, session: HeardSession, other: SocketClient) {
        (self.client, self.session, self.other) = (client, session, other)
        random = SeededRandom(seed)
    }

    mutating func run(steps: Int) async throws {
        try await write(["big"], random.large(), by: 0)
        for number in 0..<8 {
            let query = number < 3 ? nil : random.query()
            let path = number == 0 ? [] : number % 2 == 0 ? ["big"] : Array(random.path().prefix(2))
            try await session.listen(path, query)
        }
        for step in 0..<steps {
            let path = random.path()
            switch random.below(10) {
            case 0..<5: try await write(path, random.value(), by: random.below(3))
            case 5..<8: try await merge(path)
            default: try await transact(path)
            }
            try await compare("step \(step)")
        }
        for index in session.listens.indices {
            let told = try await session.resume(index)
            // Who knows of nothing may as well know nothing, and is told.
            guard told.count == (session.listens[index].heard.isEmpty ? 1 : 0) else {
                throw Differs(description: "\(session.listens[index]) is told again: \(told)")
            }
        }
    }

    private mutating func note(_ what: String, _ path: [String], _ value: JSONValue) -> String {
        let body = JSONWriter.string(["p": .string(path.joined(separator: "/")), "d": value])
        story.append("\(what) \(body.prefix(600))")
        return body
    }

    /// - Parameter writer: the session itself, the other one, or REST.
    private mutating func write(_ path: [String], _ value: JSONValue, by writer: Int) async throws {
        let body = note("put by \(writer)", path, value)
        model.set(path[...], to: ModelTree(value))
        switch writer {
        case 0: try check(try await session.ask("p", body))
        case 1: try check(try await other.ask("p", body))
        default:
            let place = URLPath.resource(path.joined(separator: "/"))
            try await Step("PUT \(place)?print=silent", JSONWriter.string(value), [:], 204).perform(client)
        }
    }

    private mutating func merge(_ path: [String]) async throws {
        var values: [String: JSONValue] = [:]
        for _ in 0..<3 { values[random.chance(50) ? random.key() : "r\(random.below(150))/n"] = random.value() }
        // One key must not be above another.
        for key in values.keys where key.contains("/") { values[String(key.prefix { $0 != "/" })] = nil }
        let body = note("merge", path, .object(values))
        for (key, value) in values {
            model.set((path + key.split(separator: "/").map(String.init))[...], to: ModelTree(value))
        }
        try check(try await session.ask("m", body))
    }

    private mutating func transact(_ path: [String]) async throws {
        let (value, isRight) = (random.value(), random.chance(50))
        var body = ["p": JSONValue.string(path.joined(separator: "/")), "d": value]
        body["h"] = .string(isRight ? model[path[...]].hash : ModelTree("nobody writes this").hash)
        story.append("transaction \(isRight) \(JSONWriter.string(.object(body)).prefix(600))")
        let answer = try await session.ask("p", JSONWriter.string(.object(body)))
        if isRight { model.set(path[...], to: ModelTree(value)) }
        try check(answer, isRight ? #"{"d":"","s":"ok"}"# : #"{"d":"The value has changed","s":"datastale"}"#)
    }

    private func check(_ answer: String, _ wanted: String = #"{"d":"","s":"ok"}"#) throws {
        if answer != wanted { throw Differs(description: "answered \(answer)") }
    }

    /// Everything that was committed before a write of the session is told before its answer.
    private mutating func compare(_ step: String) async throws {
        try await write(["sync"], .string(step), by: 0)
        for listen in session.listens {
            let here = model[listen.path[...]]
            let wanted = listen.query?.selected(here) ?? here
            guard listen.heard == wanted else {
                throw Differs(
                    description: """
                        \(listen.body()) differs at \(SocketRun.difference(listen.heard, wanted, []))
                        """)
            }
        }
    }

    /// The first place at which two trees differ, and what they have there.
    private static func difference(_ known: ModelTree, _ wanted: ModelTree, _ path: [String]) -> String {
        for key in Set(known.children.keys).union(wanted.children.keys).sorted() {
            let (left, right) = (known[[key]], wanted[[key]])
            if left != right { return difference(left, right, path + [key]) }
        }
        let (known, wanted) = (JSONWriter.string(known.shown), JSONWriter.string(wanted.shown))
        return "\(path): \(known.prefix(500)), wanted \(wanted.prefix(500))"
    }
}
