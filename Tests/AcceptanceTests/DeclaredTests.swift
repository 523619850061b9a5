import ControlAPI
import FoundationEssentials
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// Collections that files declare, in whole daemons.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct DeclaredTests {
    /// The example of the documentation.
    private static func books() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = String(decoding: try Data(contentsOf: root.appending(path: "docs/plugins.md")), as: UTF8.self)
        let text = try #require(page.firstRange(of: "```json\n").map { page[$0.upperBound...] })
        return String(text[..<(try #require(text.firstRange(of: "```"))).lowerBound])
    }

    private static let reviews = #"""
        {"columns": ["text", "film", "uid"], "key": ["film", "uid"],
         "fields": {"film": {"type": "integer", "required": true}, "uid": {"type": "text", "required": true},
                    "text": {"type": "text", "required": true}}}
        """#

    private static func plain(_ key: String = "") -> String {
        #"""
        {"columns": ["title", "author"], "fields": {"title": {"type": "text", "required": true},
         "author": {"type": "text", "required": true}}\#(key)}
        """#
    }

    private static func declare(_ text: String, for node: Node) throws {
        let folder = node.folder.appending("collections.d")
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: folder.appending("books.json").string))
    }

    private static func node(_ name: String, of site: Site, _ hub: Hub, _ declaration: String) async throws -> Node {
        var settings = NodeSettings()
        settings.collections = "movies, books"
        settings.more = "node: {name: \(name)}"
        let node = try await site.node(name, hub.url, settings, started: false)
        try declare(declaration, for: node)
        return node
    }

    @Test func `a declared collection is synced like any other, with the keys that apps expect`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let a = try await Self.node("a", of: site, hub, try Self.books())
            let b = try await Self.node("b", of: site, hub, try Self.books())
            for node in [a, b] { try await node.start() }
            let added = try await a.tool(
                ["add", "--collection", "books", "1984", "--field", "author=Orwell", "--field", "pages=328", "--wait"],
                json: false)
            #expect(added.code == 0, "\(added.errors)")
            try await b.until("the book") { $0.collections["books"]?.records == 1 }
            #expect(
                try await b.records("books") == [
                    added.line: ["title": "1984", "author": "Orwell", "pages": 328, "isRead": false]
                ])
            #expect(try await hub.tree("/books").members?[added.line]?.members?["identifier"] == .string(added.line))
            let id = "6F9619FF-8B86-4011-B42D-00C04FC964F1"
            try a.append("create", id, #"{"title":"X","shelf":"roof"}"#, more: #","collection":"books""#)
            try await a.until("the defect") { $0.collections["books"]?.quarantined == 1 }
            let reason = try await a.list("quarantine").first?["reason"]
            #expect(reason == #""shelf" is "roof", which is none of "attic", "cellar""#)
            #expect(try await b.status().collections["books"]?.declaredOtherwise == nil)
        }
    }

    @Test func `a collection whose keys are made of fields lies there one below the other`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let a = try await Self.node("a", of: site, hub, Self.reviews)
            let b = try await Self.node("b", of: site, hub, Self.reviews)
            for node in [a, b] { try await node.start() }
            let base = ["add", "--collection", "books", "Good", "--field", "film=348"]
            #expect(try await a.tool(base, json: false).code == 65)
            let added = try await a.tool(base + ["--field", "uid=anna", "--wait"], json: false)
            #expect(added.code == 0, "\(added.errors)")
            #expect(try await hub.tree("/books/348/anna").members?["text"] == "Good")
            try await hub.write("PUT", "/books/348/bob", #"{"text": "Bad"}"#)
            try await hub.write("PUT", "/books/7/bob", #"{"text": "Fine"}"#)
            try await b.until("the reviews") { $0.collections["books"]?.records == 3 }
            let key = ["--collection", "books", "348/anna"]
            #expect(try await b.tool(["set"] + key + ["text=Better", "--wait"], json: false).code == 0)
            #expect(try await hub.tree("/books/348/anna").members?["text"] == "Better")
            try await a.untilRecords("the edit", of: "books") { $0[added.line]?["text"] == "Better" }
            // All of a film at once, as an app would.
            try await hub.write("PUT", "/books/348", #"{"carl": {"text": "New"}}"#)
            for node in [a, b] {
                try await node.untilRecords("what is left", of: "books") {
                    Set($0.values.compactMap { $0["text"]?.text }) == ["New", "Fine"]
                }
            }
            #expect(try await b.tool(["verify"], json: false).code == 0)
        }
    }

    @Test func `nodes that declare a collection otherwise are named`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let a = try await Self.node("attic", of: site, hub, try Self.books())
            let other = try Self.books().replacing("\"minimum\": 1", with: "\"minimum\": 2")
            let b = try await Self.node("cellar", of: site, hub, other)
            for node in [a, b] { try await node.start() }
            try await a.until("the difference", within: .seconds(60)) {
                $0.collections["books"]?.declaredOtherwise?.first?.hasPrefix("cellar (") == true
            }
            try await a.program?.logged("declaration.differs")
            for command in ["nodes", "status"] {
                let shown = try await a.tool([command], json: false).output
                #expect(shown.contains("books is declared otherwise by cellar ("))
            }
            #expect(try await a.tool(["health"]).code == 1)
        }
    }

    @Test func `another key is refused as long as there are records, by a reload and by a start`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await Self.node("a", of: site, hub, Self.plain())
            try await node.start()
            let added = try await node.tool(
                ["add", "--collection", "books", "1984", "--field", "author=Orwell", "--wait"], json: false)
            #expect(added.code == 0, "\(added.errors)")
            try Self.declare(Self.plain(#", "key": ["author"]"#), for: node)
            let reload = try await node.tool(["reload"], json: false)
            let words = "the keys of books would be made of author, but 1 of its records"
            #expect(reload.code != 0 && reload.errors.contains(words), "\(reload.errors)")
            #expect(try await node.status().collections["books"]?.records == 1)
            try await node.stop()
            let program = try await node.launch()
            #expect(try await program.ended(within: .seconds(20)) == .exited(78))
            #expect(try await hub.tree("/books").members?[added.line]?.members?["author"] == "Orwell")
            try Self.declare(Self.plain(), for: node)
            try await node.start()
            #expect(try await node.records("books").count == 1)
        }
    }

    @Test func `a bad declaration keeps the daemon from starting`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await Self.node("a", of: site, hub, "{\"columns\": [\"title\"],\n \"fields\": 1}")
            let program = try await node.launch()
            #expect(try await program.ended(within: .seconds(20)) == .exited(78))
            let check = try await site.run(.moviesyncd, ["check-config", "--config", node.config.string])
            #expect(check.code == 78)
            let place = node.folder.appending("collections.d").appending("books.json").string
            #expect(check.errors.contains("\(place):2:2: fields must have a key for each field"))
        }
    }
}
