import ControlAPI
import SyncModel
import TestSupport
import Testing

/// Writes straight into the database, as apps without stamps make them.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct AppTests {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    private func withNodes(_ body: (Site, Hub, Node, Node) async throws -> Void) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            try await body(site, hub, try await site.node("a", hub.url), try await site.node("b", hub.url))
        }
    }

    struct Body: Sendable, CustomTestStringConvertible {
        var text: String
        var fields: [String: JSONValue]
        var testDescription: String { text }
    }

    static let bodies: [Body] = [
        .init(
            text: #"{"identifier":"\#(id)","title":"A","hasWatched":1}"#, fields: ["title": "A", "hasWatched": true]),
        .init(
            text: #"{"identifier":"\#(id)","title":"A","hasWatched":0}"#, fields: ["title": "A", "hasWatched": false]),
        .init(text: #"{"title":"A","hasWatched":"true"}"#, fields: ["title": "A", "hasWatched": true]),
        .init(text: #"{"identifier":"\#(id.lowercased())","title":"A"}"#, fields: ["title": "A", "hasWatched": false]),
        .init(
            text: #"{"identifier":"\#(id)","title":"Ä \"q\" \\ /","hasWatched":true,"year":1979,"more":{"x":[1,2]}}"#,
            fields: [
                "title": "Ä \"q\" \\ /", "hasWatched": true, "year": 1979, "more": ["x": [1, 2]],
            ]),
    ]

    @Test(arguments: bodies) func `what apps spell differently is read`(_ body: Body) async throws {
        try await withNodes { site, hub, a, b in
            try await hub.write("PUT", "/movies/\(Self.id)", body.text)
            for node in [a, b] {
                try await node.until("the film") { $0.collections["movies"]?.records == 1 }
                #expect(try await node.records()[Self.id] == body.fields)
            }
            try a.append("update", Self.id, #"{"title":"B"}"#)
            try await b.untilRecords("the edit on b") { $0[Self.id]?["title"] == "B" }
            try await site.untilEqual([a, b], hub, count: 1)
            let tree = try await hub.tree("/movies/\(Self.id)").members
            #expect(tree?["identifier"] == .string(Self.id))
            #expect(tree?["hasWatched"] == body.fields["hasWatched"])
        }
    }

    @Test func `a lower-case key is the same film and is not doubled`() async throws {
        try await withNodes { site, hub, a, b in
            let key = Self.id.lowercased()
            try await hub.write("PUT", "/movies/\(key)", #"{"identifier":"\#(key)","title":"A","hasWatched":false}"#)
            for node in [a, b] { try await node.until("the film") { $0.collections["movies"]?.records == 1 } }
            try a.append("update", Self.id, #"{"hasWatched":true}"#)
            try await b.untilRecords("the edit on b") { $0[Self.id]?["hasWatched"] == true }
            try await a.settled()
            #expect(try await hub.tree("/movies").members?.count == 1)
            try b.append("delete", Self.id)
            try await a.until("no film") { $0.collections["movies"]?.records == 0 }
            try await a.settled()
            #expect(try await hub.tree("/movies") == .null)
        }
    }

    @Test func `a sibling that is no record is quarantined and untouched`() async throws {
        try await withNodes { site, hub, a, b in
            try await hub.write("PUT", "/movies/settings", #"{"theme":"dark"}"#)
            try await hub.write("PUT", "/movies/version", "3")
            try await hub.write("PUT", "/movies/\(Self.id)", #"["no","record"]"#)
            let other = "6F9619FF-8B86-4011-B42D-00C04FC96400"
            try a.append("create", other, #"{"title":"A","hasWatched":false}"#)
            for node in [a, b] {
                try await node.until("three in quarantine") { $0.collections["movies"]?.quarantined == 3 }
                try await node.until("the film") { $0.collections["movies"]?.records == 1 }
                let items = try await node.list("quarantine")
                #expect(Set(items.compactMap { $0["record"]?.text }) == ["settings", "version", Self.id])
                #expect(items.allSatisfy { $0["source"] == "pull" })
            }
            for node in [a, b] {
                try await node.stop()
                try await node.start()
                try await node.settled()
                #expect(try await node.status().collections["movies"]?.quarantined == 3)
            }
            #expect(try await hub.tree("/movies/settings") == ["theme": "dark"])
            #expect(try await hub.tree("/movies/version") == 3)
            #expect(try await hub.tree("/movies/\(Self.id)") == ["no", "record"])
            try await hub.write("DELETE", "/movies/settings")
            try await hub.write("DELETE", "/movies/version")
            try await hub.write("PUT", "/movies/\(Self.id)", #"{"title":"Now","hasWatched":true}"#)
            for node in [a, b] {
                try await node.until("both films") { $0.collections["movies"]?.records == 2 }
                try await node.settled()
                #expect(try await node.status().collections["movies"]?.quarantined == 0)
            }
        }
    }

    @Test func `what an app dropped is kept also where it wrote while the nodes were down`() async throws {
        try await withNodes { site, hub, a, b in
            try a.append("create", Self.id, #"{"title":"A","hasWatched":false,"rating":5,"tags":["x"]}"#)
            try await b.until("the film") { $0.collections["movies"]?.records == 1 }
            try await site.untilEqual([a, b], hub, count: 1)
            try await a.stop()
            try await b.stop()
            try await hub.write(
                "PUT", "/movies/\(Self.id)", #"{"identifier":"\#(Self.id)","title":"B","hasWatched":true}"#)
            try await a.start()
            try await b.start()
            for node in [a, b] {
                try await node.untilRecords("the app's edit") {
                    $0[Self.id] == ["title": "B", "hasWatched": true, "rating": 5, "tags": ["x"]]
                }
            }
            try await site.untilEqual([a, b], hub, count: 1)
            for node in [a, b] { #expect(try await node.status().collections["movies"]?.conflicts == 0) }
        }
    }

    @Test func `many writes of an app in one request arrive`() async throws {
        try await withNodes { site, hub, a, b in
            let ids = (10...60).map { "6F9619FF-8B86-4011-B42D-00C04FC964\($0)" }
            let films = ids.map { #""\#($0)":{"identifier":"\#($0)","title":"F","hasWatched":false}"# }
            try await hub.write("PATCH", "/movies", "{\(films.joined(separator: ","))}")
            for node in [a, b] { try await node.until("51 films") { $0.collections["movies"]?.records == 51 } }
            let watched = ids.map { #""\#($0)/hasWatched":true"# }
            try await hub.write("PATCH", "/movies", "{\(watched.joined(separator: ","))}")
            for node in [a, b] {
                try await node.untilRecords("all watched") { $0.values.allSatisfy { $0["hasWatched"] == true } }
            }
            try await site.untilEqual([a, b], hub, count: 51)
            for id in ids.prefix(3) { try await hub.write("DELETE", "/movies/\(id)") }
            for node in [a, b] { try await node.until("48 films") { $0.collections["movies"]?.records == 48 } }
            try await site.untilEqual([a, b], hub, count: 48)
        }
    }
}
