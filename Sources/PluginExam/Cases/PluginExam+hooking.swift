internal import PluginWire
internal import SyncModel

extension PluginExam {
    static var hooking: [Case] {
        [
            Case(
                name: "hook", promise: "takes an event, and the same one again, and acknowledges no other",
                capability: "hook"
            ) { candidate in
                _ = try await candidate.greeted { talk, declaration in
                    let collections = declaration.provides["hook"]?.members?["collections"]
                    var collection: JSONValue = "movies"
                    if case .array(let names)? = collections, let first = names.first { collection = first }
                    for _ in 0..<2 { try await take(event(of: collection), talk) }
                }
            }
        ]
    }

    /// Hands over an event; a failure where it is not taken.
    private static func take(_ event: JSONValue, _ talk: ExamTalk) async throws {
        let reply = try await talk.call("hook.event", with: event, within: .seconds(30))
        let skipped = try reply.skipping(unless: false)
        let acknowledged = try skipped.ok("hook.event").members?["seq"]
        guard let acknowledged, acknowledged != event.members?["seq"] else { return }
        throw ExamFailure("it acknowledges another event than it was told of")
    }

    /// A film that nobody has.
    private static func event(of collection: JSONValue) -> JSONValue {
        [
            "delivery": "0000000000000000-1", "seq": 1, "event": "create", "collection": collection,
            "id": "00000000-0000-4000-8000-000000000000", "before": nil,
            "after": ["title": "A trial of moviesync plugin test"], "origin": "journal", "node": "0000000000000000",
            "stamp": nil, "at": "2026-01-01T00:00:00.000Z",
        ]
    }
}
