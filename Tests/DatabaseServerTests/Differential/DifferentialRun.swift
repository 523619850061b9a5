import JSONText
import SyncModel
import TestSupport

@testable import FirebaseWire

/// One server and the model of it, to which the same random requests are sent.
struct DifferentialRun {
    static let databases = ["", "two"]

    let seed: UInt64
    let client: TestClient
    var random: SeededRandom
    var models: [String: ModelTree] = [:]
    var listeners: [HeardPlace] = []
    /// The ETag of each content that was seen, and the content of each ETag.
    var etags: [JSONValue: String] = [:]
    var contents: [String: JSONValue] = [:]
    /// The last requests, for whoever reads a failure.
    var story: [String] = []

    init(seed: UInt64, client: TestClient) {
        (self.seed, self.client) = (seed, client)
        random = SeededRandom(seed)
    }

    /// Sends `steps` requests. Throws ``Differs`` at the first answer, event or tree that is not the model's.
    mutating func run(steps: Int) async throws {
        do {
            for step in 0..<steps {
                if step % 100 == 0 { try await listenAnew() }
                try await request()
                if step % 10 == 9 { try await settle() }
            }
            try await settle()
            for database in DifferentialRun.databases { try await compare(database, []) }
        } catch {
            throw Differs(description: "seed \(seed): \(error)\nafter:\n\(story.suffix(12).joined(separator: "\n"))")
        }
    }

    func model(_ database: String) -> ModelTree { models[database] ?? ModelTree() }

    // MARK: Listeners

    private mutating func listenAnew() async throws {
        listeners = []
        for number in 0..<10 {
            let query = number < 5 ? nil : random.query()
            let path = query == nil ? random.path() : random.chance(50) ? ["big"] : Array(random.path().prefix(2))
            let database = random.pick(DifferentialRun.databases)
            listeners.append(try await HeardPlace(client, database, path, query))
        }
    }

    /// Waits until each listener knows what the model says; what it hears meanwhile must lead there.
    ///
    /// The streams are kept alive often, so that who is told nothing more notices that the time is over.
    private mutating func settle() async throws {
        for index in listeners.indices {
            let wanted = listeners[index].view(model(listeners[index].database))
            let deadline = ContinuousClock.now + .seconds(20)
            while listeners[index].heard != wanted {
                do {
                    guard ContinuousClock.now < deadline else { throw Differs(description: "nothing more comes") }
                    try await listeners[index].hear()
                } catch {
                    throw Differs(description: difference(listeners[index], wanted, error))
                }
            }
        }
    }

    private func difference(_ listener: HeardPlace, _ wanted: ModelTree, _ error: any Error) -> String {
        """
        \(error): a listener of /\(listener.path.joined(separator: "/"))\(listener.query?.description ?? "") \
        in "\(listener.database)" knows \(JSONWriter.string(listener.heard.shown).prefix(1000)), \
        wanted \(JSONWriter.string(wanted.shown).prefix(1000)); it heard last:
        \(listener.last.map { String($0.prefix(500)) }.joined(separator: "\n"))
        """
    }

    // MARK: Answers

    /// Sends a request and notes it; throws where the status is not the wanted one.
    mutating func send(
        _ method: String, _ path: [String], _ database: String, body: JSONValue? = nil, query: String = "?",
        headers: [String: String] = [:], status: Int = 200
    ) async throws -> (value: JSONValue, etag: String?) {
        let place = URLPath.resource(path.joined(separator: "/")) + query + (query == "?" ? "" : "&") + "ns=\(database)"
        let text = body.map(JSONWriter.string)
        story.append("\(method) \(place) \(headers) \(text?.prefix(700) ?? "")")
        let answer = try await client.send(
            method, place, text, headers.merging(["Authorization": "Bearer owner"]) { given, _ in given })
        guard answer.status == status else {
            throw Differs(description: "status \(answer.status), wanted \(status): \(answer.body.prefix(500))")
        }
        let value = answer.body.isEmpty ? .null : try JSONReader.value(Array(answer.body.utf8))
        return (ModelTree.plain(value), answer.headers["etag"])
    }

    func check(_ found: JSONValue, _ wanted: JSONValue, _ what: String) throws {
        guard found != wanted else { return }
        throw Differs(
            description: """
                \(what): found \(JSONWriter.string(found).prefix(1500)), wanted \(JSONWriter.string(wanted).prefix(1500))
                """
        )
    }

    /// Compares what is answered for a place, and its ETag, which is the same for the same content only.
    @discardableResult
    mutating func compare(_ database: String, _ path: [String]) async throws -> String {
        let wanted = model(database)[path[...]].shown
        let found = try await send("GET", path, database, headers: ["X-Firebase-ETag": "true"])
        try check(found.value, wanted, "GET")
        guard let etag = found.etag else { throw Differs(description: "no ETag") }
        guard etags[wanted, default: etag] == etag, contents[etag, default: wanted] == wanted else {
            throw Differs(
                description:
                    "ETag \(etag) of \(JSONWriter.string(wanted).prefix(300)), which was \(etags[wanted] ?? "of other")"
            )
        }
        etags[wanted] = etag
        contents[etag] = wanted
        return etag
    }
}
