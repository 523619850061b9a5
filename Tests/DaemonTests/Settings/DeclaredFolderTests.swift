import FoundationEssentials
import SyncModel
import SystemPackage
import TestSupport
import Testing

@testable import Daemon

struct DeclaredFolderTests {
    private static let books = #"{"columns": ["title"], "fields": {"title": {"type": "text", "required": true}}}"#

    private func fixture(_ files: [String: String], in folder: FilePath, yaml: String = "") throws -> SettingsFixture {
        let declared = folder.appending("collections.d")
        try FileManager.default.createDirectory(atPath: declared.string, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: declared.appending(name)) }
        var fixture = SettingsFixture()
        fixture.yaml = yaml
        return fixture
    }

    @Test func `a declared collection is enabled, and has keys`() async throws {
        try await withTemporaryFolder { folder in
            let fixture = try fixture(
                ["books.json": Self.books, "README": "no declaration", ".x.json": "{"], in: folder,
                yaml: "collections: {books: {base: shared/books}}")
            let (loaded, problems) = try await fixture.load(in: folder)
            #expect(problems == [])
            let settings = try #require(loaded?.settings)
            #expect(settings.collections.map(\.id.name) == ["movies", "artists", "books"])
            #expect(settings.collections.last?.base == "shared/books")
            #expect(settings.declared.keys.sorted() == ["books"])
        }
    }

    @Test func `what is wrong is said with its place`() async throws {
        try await withTemporaryFolder { folder in
            let fixture = try fixture(
                [
                    "books.json": "{\n  \"columns\": [\"title\"],\n  \"fields\": {\"title\": {\"type\": \"txt\"}}\n}",
                    "movies.json": Self.books,
                    "enabled.json": Self.books, "Games.json": Self.books, "broken.json": "{\n  \"columns\": [\n",
                ], in: folder)
            let problems = try await fixture.load(in: folder).problems
            #expect(problems.count == 5)
            #expect(problems.contains { $0.hasSuffix(": collections.enabled is a key already: use another name") })
            #expect(problems.contains { $0.hasPrefix("D/collections.d/books.json:3:24: fields.title.type is \"txt\"") })
            let taken = "D/collections.d/movies.json: the collection movies is built in: use another name"
            #expect(problems.contains(taken))
            #expect(problems.contains { $0.hasPrefix("D/collections.d/Games.json: the declaration has a name") })
            #expect(problems.contains { $0.hasPrefix("D/collections.d/broken.json:") && $0.contains("is no JSON") })
        }
    }

    @Test func `another declaration counts after a reload`() async throws {
        try await withTemporaryFolder { folder in
            let fixture = try fixture(["books.json": Self.books], in: folder)
            let old = try #require(try await fixture.load(in: folder).loaded?.settings)
            try write(
                Self.books.replacing("\"required\"", with: "\"maxLength\": 9, \"required\""),
                to: folder.appending("collections.d").appending("books.json"))
            let loaded = try #require(try await fixture.load(in: folder).loaded)
            let change = SettingsChange(from: old, to: loaded.settings, loaded.declarations)
            #expect(change.live == ["collections.d"])
            #expect(change.changesSession)
            #expect(change.applied == loaded.settings)
        }
    }
}
