import ControlAPI
import FoundationEssentials
import SyncModel
import TestSupport
import Testing

/// A collection as the documentation tells to write one, in daemons that have it.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct CollectionTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }

    @Test(arguments: ["Tests/ExampleBooks/Books.swift", "Tests/PluginTests/ExampleBooksTests.swift"])
    func `the documentation shows what is compiled`(path: String) throws {
        let shown = try Self.text("docs/plugins.md")
        #expect(shown.contains("\n```swift\n\(try Self.text(path).replacing("ExampleBooks", with: "Books"))```\n"))
    }

    @Test func `the target is declared as the documentation tells`() throws {
        let declaration = #"module("Books", path: "Sources/Plugins/Books", ["PluginKit", "SyncModel"]),"#
        let compiled = #"module("ExampleBooks", path: "Tests/ExampleBooks", ["PluginKit", "SyncModel"]),"#
        #expect(try Self.text("docs/plugins.md").contains(declaration))
        #expect(try Self.text("Package.swift").contains(compiled))
    }

    @Test func `a new collection is added, listed, marked and synced by tools that do not know it`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            settings.collections = "movies, books"
            let (a, b) = (
                try await site.node("a", hub.url, settings, started: false),
                try await site.node("b", hub.url, settings, started: false)
            )
            for node in [a, b] { try await node.start(.exampleDaemon) }
            let command = ["add", "--collection", "books", "1984", "--field", "author=Orwell", "--wait"]
            let added = try await a.tool(command, json: false)
            #expect(added.code == 0, "\(added.errors)")
            try await b.until("the book") { $0.collections["books"]?.records == 1 }
            #expect(
                try await b.records("books") == [added.line: ["title": "1984", "author": "Orwell", "isRead": false]])
            let list = try await b.tool(["list", "books", "--filter", "98"], json: false)
            #expect(list.line == "id\ttitle\tisRead\tauthor\tpending\n\(added.line)\t1984\tfalse\tOrwell\t")
            let edit = ["set", added.line, "isRead=true", "isbn=0452284236", "--collection", "books", "--wait"]
            #expect(try await b.tool(edit).code == 0)
            try await a.until("the edit") { $0.lastChange == 2 }
            #expect(try await hub.records("/books")[added.line]?["isbn"] == "0452284236")
            #expect(try await a.tool(["list", "books", "--group", "read"], json: false).line.hasPrefix("read (1)"))
            #expect(try await a.tool(["changes", "--after", "1"], json: false).line.hasSuffix("1984 ✓"))
            let refused = try await a.tool(["watched", added.line, "--collection", "books"])
            #expect(refused.code == 64)
            #expect(try await a.tool(["rm", added.line, "--collection", "books", "--wait"]).code == 0)
            try await b.until("no book") { $0.collections["books"]?.records == 0 }
        }
    }

    @Test func `the control socket tells what plugins say`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            settings.collections = "books, movies"
            let node = try await site.node("a", hub.url, settings, started: false)
            try await node.start(.exampleDaemon)
            #expect(
                try await node.control("GET", "/v1/collections").text == """
                    {"items":[{"columns":["title","author","isRead"],"defaults":{"isRead":false},"identityFields":[],\
                    "keyParts":[],"name":"books","textFields":["author","isbn","title"],"titleField":"title"},\
                    {"columns":["title","year","hasWatched"],"defaults":{"hasWatched":false},\
                    "identityFields":["identifier"],"keyParts":[],"name":"movies","textFields":["title"],\
                    "titleField":"title"}],\
                    "next":null}

                    """)
            try await node.stop()
            let unknown = try await node.tool(["add", "--collection", "shelves", "Emma"])
            #expect(unknown.code == 64)
            #expect(unknown.errors.contains("artists, ") && unknown.errors.contains("movies"))
            #expect(try await node.tool(["add", "Alien"]).code == 0)
        }
    }
}
