import ControlAPI
import Foundation
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// The library of whole nodes filled from catalogs.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct CatalogTests {
    private static let key = String(repeating: "0a", count: 16)

    /// A source of three films, of which one has no date and one row is bad.
    private static let films = #"""
        {"page":1,"total_pages":1,"total_results":4,"results":[
        {"id":1,"title":"Metropolis","release_date":"1927-01-10","poster_path":null},
        {"id":2,"title":"The Third Man","release_date":"1949-09-01","overview":""},
        {"id":3,"title":"Playtime","release_date":""},{"id":null,"title":null}]}
        """#

    private static let artists = #"""
        {"artists":[
        {"idArtist":"113786","strArtist":"John Williams","intFormedYear":null,"strBiographyEN":"A composer."},
        {"idArtist":"123064","strArtist":"John Williams","intFormedYear":"1958","strBiographyEN":null},
        {"idArtist":"1","strArtist":"Macklemore\u200e","intFormedYear":"0","strBiographyEN":""}]}
        """#

    /// Two nodes of one hub that know the source, one of them with a plugin besides.
    private func withLibrary(_ body: @Sendable (Node, Node, ScriptedServer) async throws -> Void) async throws {
        try await withServer { request, line in
            let body = request.path.contains("json") ? Self.artists : Self.films
            try await line.reply(200, ["Cache-Control": "max-age=600"], body)
        } _: { server in
            try await withSite { site in
                let hub = try await site.hub()
                let key = site.folder.appending("key").string
                try Data(Self.key.utf8).write(to: URL(filePath: key))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
                var settings = NodeSettings()
                settings.collections = "movies, artists, favourites"
                settings.more = """
                    catalogs:
                      tmdb: {credentialFile: "\(key)", url: "\(server.url)", language: en}
                      audiodb: {url: "\(server.url)"}
                    plugins:
                      shelf: {command: ["\(try plugin(in: site))"]}
                    """
                let (kitchen, attic) = (
                    try await site.node("kitchen", hub.url, settings), try await site.node("attic", hub.url, settings)
                )
                try await body(kitchen, attic, server)
                for node in [kitchen, attic] {
                    #expect(!Site.text(of: node.folder.appending("\(node.name).log")).contains(Self.key))
                }
            }
        }
    }

    /// A catalog in a few lines of shell: three items, of which one is none.
    private func plugin(in site: Site) throws -> String {
        let path = site.folder.appending("shelf").string
        let text = #"""
            #!/bin/sh
            while IFS= read -r line; do
              id=${line#*\"id\":}; id=${id%%[,\}]*}
              case $line in
                *'"call":"hello"'*)
                  echo "{\"id\":$id,\"ok\":{\"protocol\":1,\"name\":\"shelf\",\"version\":\"1\",\"provides\":{\"catalog\":{\"collection\":\"movies\",\"search\":true}}}}" ;;
                *'"call":"catalog.search"'*)
                  echo "{\"id\":$id,\"item\":{\"key\":\"m\",\"title\":\"M\",\"year\":1931}}"
                  echo "{\"id\":$id,\"item\":{\"key\":\"m\",\"title\":\"M\",\"year\":1931}}"
                  echo "{\"id\":$id,\"item\":{\"key\":\"n\"}}"
                  echo "{\"id\":$id,\"ok\":{\"next\":null}}" ;;
                *) echo "{\"id\":$id,\"error\":{\"code\":\"unknownCall\",\"message\":\"no\"}}" ;;
              esac
            done
            """#
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        return path
    }

    @Test func `what is searched and saved on one node arrives on the other, once`() async throws {
        try await withLibrary { kitchen, attic, server in
            let found = try await kitchen.tool(["search", "third", "man"], json: false)
            #expect(found.code == 0, "\(found.errors)")
            #expect(found.output.contains("2    The Third Man  1949"))
            #expect(found.output.contains("3    Playtime       no year"))
            #expect(found.output.contains("1 row of the source could not be read"))
            #expect(!found.output.contains("null"))
            let asked = server.requests.count
            let filtered = try await kitchen.tool(["search", "--filter", "1949"]).read(CatalogSetReply.self)
            #expect(filtered.rows.map(\.number) == [2] && server.requests.count == asked)
            let saved = try await kitchen.tool(["save", "1", "2-3", "--watched", "--wait"])
            #expect(saved.code == 0, "\(saved.errors)")
            try await attic.untilRecords("the three films") { records in
                records.values.map { $0["hasWatched"] } == [true, true, true]
            }
            // Offline, on another node, and once more.
            try await attic.tool(["search", "third"])
            let again = try await attic.tool(["save", "2", "--wait"], json: false)
            #expect(again.output.hasSuffix("The Third Man: in the library already\n"))
            let records = try await kitchen.records()
            #expect(records.count == 3)
        }
    }

    @Test func `two nodes that save the same film apart have one film`() async throws {
        try await withLibrary { kitchen, attic, _ in
            for node in [kitchen, attic] {
                try await node.tool(["pause"])
                try await node.tool(["search", "third"])
                #expect(try await node.tool(["save", "2"]).code == 0)
            }
            for node in [kitchen, attic] { try await node.tool(["resume"]) }
            for node in [kitchen, attic] { try await node.settled() }
            for node in [kitchen, attic] {
                try await node.untilRecords("one film") { $0.values.map { $0["title"] } == ["The Third Man"] }
            }
            let records = try await kitchen.records()
            try await attic.untilRecords("the same film") { $0 == records }
        }
    }

    @Test func `artists are told apart by their ids, and what is missing is said`() async throws {
        try await withLibrary { kitchen, _, _ in
            let missing = try await kitchen.tool(["artist", "show", "John Williams"], json: false)
            #expect(missing.code == 0 && missing.output.contains("A composer."), "\(missing.errors)")
            let found = try await kitchen.tool(["artist", "search", "John Williams"], json: false)
            #expect(found.code == 0, "\(found.errors)")
            #expect(found.output.contains("1    John Williams  year formed not available  A composer."))
            #expect(
                found.output.contains("2    John Williams  1958                       no biography in the database"))
            #expect(
                found.output.contains("3    Macklemore     year formed not available  no biography in the database"))
            #expect(try await kitchen.tool(["artist", "save", "1-3", "--wait"]).code == 0)
            let records = try await kitchen.records("artists")
            #expect(records.count == 3)
            #expect(Set(records.values.map { $0["yearFormed"] }) == [nil, 1958])
            let shown = try await kitchen.tool(["artist", "show", "macklemore"], json: false)
            #expect(shown.code == 0 && shown.output.contains("Macklemore") && shown.errors == "", "\(shown.errors)")
            let both = try await kitchen.tool(["artist", "show", "John Williams"], json: false)
            #expect(both.output.split(separator: "\n").count { $0.contains("John Williams") } == 2)
        }
    }

    @Test func `a file takes artists along, and brings them back with their ids`() async throws {
        try await withLibrary { kitchen, _, _ in
            #expect(try await kitchen.tool(["artist", "search", "John Williams"], json: false).code == 0)
            #expect(try await kitchen.tool(["artist", "save", "1-3", "--wait"]).code == 0)
            let file = "\(kitchen.folder)/artists.plist"
            let before = try await kitchen.records("artists")
            #expect(try await kitchen.tool(["artist", "export", file], json: false).code == 0)
            for id in before.keys {
                #expect(try await kitchen.tool(["rm", "--collection", "artists", id], json: false).code == 0)
            }
            try await kitchen.untilRecords("no artist", of: "artists") { $0.isEmpty }
            #expect(try await kitchen.tool(["artist", "import", file], json: false).code == 0)
            try await kitchen.untilRecords("the artists", of: "artists") { $0 == before }
        }
    }

    @Test func `a favourite has a mark in what is found, and in the library, wherever it stands`() async throws {
        try await withLibrary { kitchen, _, _ in
            let before = try await kitchen.tool(["search", "m", "--as", "anna"]).read(CatalogSetReply.self)
            #expect(before.rows.allSatisfy { $0.favourite == false })
            let row = try #require(before.rows.last)
            let like = ["favourite", "add", row.key, "--title", "M", "--as", "anna", "--wait"]
            #expect(try await kitchen.tool(like, json: false).code == 0)
            let after = try await kitchen.tool(["search", "m", "--as", "anna"]).read(CatalogSetReply.self)
            #expect(after.rows.filter { $0.favourite == true }.map(\.key) == [row.key])
            let shown = try await kitchen.tool(["search", "--filter", "", "--as", "anna"], json: false)
            #expect(shown.output.contains("♥"), "\(shown.errors)")
            let others = try await kitchen.tool(["search", "m", "--as", "bob"], json: false)
            #expect(others.code == 0 && !others.output.contains("♥"))
        }
    }

    @Test func `a plugin is one more catalog`() async throws {
        try await withLibrary { kitchen, _, _ in
            try await kitchen.program?.logged("plugin.started")
            let set = try await kitchen.tool(["search", "m", "--catalog", "shelf"]).read(CatalogSetReply.self)
            #expect(set.rows.map(\.key) == ["m"] && set.duplicatesDropped == 1 && set.skipped == 1)
            #expect(try await kitchen.tool(["save", "1", "--wait"]).code == 0)
            #expect(try await kitchen.records().values.map { $0["title"] } == ["M"])
            let catalogs = try await kitchen.tool(["catalog"]).read(Page<CatalogReply>.self)
            #expect(catalogs.items.map(\.name) == ["tmdb", "omdb", "audiodb", "shelf"])
            #expect(catalogs.items.map(\.state) == [.ok, .noKey, .ok, .ok])
            let lacking = try await kitchen.tool(["search", "m", "--catalog", "omdb"], json: false)
            #expect(lacking.code == 77 && lacking.errors.contains("https://www.omdbapi.com/apikey.aspx"))
            #expect(lacking.errors.split(separator: "\n").count == 1)
        }
    }
}
