import ControlAPI
import FoundationEssentials
import SyncModel
import TestSupport
import Testing

/// A person's picture on its way from a file on one node through the hub to another node.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct PictureTests {
    static let png = Data(
        base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
            + "AABJRU5ErkJggg==")

    private func node(_ name: String, _ site: Site, _ hub: Hub, credential: String = "emulator") async throws -> Node {
        var settings = NodeSettings()
        settings.collections = "movies, profiles"
        settings.remote = "  credential: \(credential)"
        settings.more = "artwork:\n  cache: \"\(site.folder)/art-\(name)\""
        return try await site.node(name, hub.url, settings)
    }

    private func file(_ site: Site, _ name: String, _ content: Data?) throws -> String {
        let path = "\(site.folder)/\(name)"
        try (content ?? Data()).write(to: URL(filePath: path))
        return path
    }

    @Test func `a picture is stored on the hub, and every node shows it`() async throws {
        try await withSite { site in
            let hub = try await site.hub(flags: ["--emulator"])
            let (a, b) = (try await node("a", site, hub), try await node("b", site, hub, credential: "none"))
            let picture = try file(site, "anna.png", Self.png)
            let words = ["profile", "set", "--name", "Anna", "--picture", picture, "--as", "anna", "--wait"]
            let run = try await a.tool(words, json: false)
            #expect(run.code == 0, "\(run.errors)")
            let photo = try await hub.tree("/profiles/anna").members?["photo"]?.text ?? ""
            #expect(photo.hasPrefix("\(hub.url)/v0/b/moviesync/o/profiles%2Fanna.jpg?alt=media&token="))
            try await b.untilRecords("the profile", of: "profiles") { $0.values.first?["photo"]?.text == photo }
            for node in [a, b] {
                let shown = try await node.control("GET", "/v1/profiles/anna/picture?width=64")
                #expect(shown.status == 200, "\(shown.text)")
                #expect(shown.headers["content-type"] == "image/jpeg")
            }
            #expect(try await b.control("GET", "/v1/profiles/bob/picture").status == 404)
            // Another picture has another address, so that it is seen at once.
            #expect(try await a.tool(["profile", "set", "--picture", picture, "--as", "anna", "--wait"]).code == 0)
            let next = try #require(try await hub.tree("/profiles/anna").members?["photo"]?.text)
            #expect(next != photo)
            #expect(try await a.tool(["profile", "set", "--no-picture", "--as", "anna", "--wait"]).code == 0)
            #expect(try await hub.tree("/profiles/anna").members?["photo"] == nil)
            #expect(try await site.ask("GET", next).status == 403)
            try await b.untilRecords("no picture", of: "profiles") { $0.values.first?["photo"] == nil }
            #expect(try await b.control("GET", "/v1/profiles/anna/picture").status == 404)
        }
    }

    @Test func `what can't be stored changes nothing, and says why in a line`() async throws {
        try await withSite { site in
            let hub = try await site.hub(flags: ["--emulator"])
            let (a, b) = (try await node("a", site, hub), try await node("b", site, hub, credential: "none"))
            let without = try await node("c", site, try await site.hub("plain"))
            let picture = try file(site, "anna.png", Self.png)
            let svg = try file(site, "anna.svg", Data("<svg/>".utf8))
            let large = try file(site, "large.png", Data(count: 5 << 20 | 1))
            let refused: [(Node, String, Int, String)] = [
                (a, svg, 65, "JPEG or a PNG"), (a, large, 65, "5 MiB"), (a, "/nowhere.png", 74, "/nowhere.png"),
                (b, picture, 70, "Permission denied"), (without, picture, 70, "--accounts"),
            ]
            for (node, file, code, reason) in refused {
                let words = ["profile", "set", "--name", "Anna", "--picture", file, "--as", "anna"]
                let run = try await node.tool(words, json: false)
                #expect(run.code == code, "\(file): \(run.errors)")
                #expect(run.errors.contains(reason) && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
                #expect(try await node.tool(["profile", "show", "anna"], json: false).code == 66)
            }
            #expect(try await a.tool(["profile", "set", "--picture", picture, "--as", "zoe"], json: false).code == 64)
        }
    }

    @Test func `pictures that don't come keep nobody from stopping`() async throws {
        try await withSite { site in
            try await withServer({ _, line in await line.staySilent() }) { source in
                var settings = NodeSettings()
                settings.more = """
                    catalogs:
                      tmdb: { imageURL: \(source.url) }
                    artwork:
                      cache: "\(site.folder)/art"
                    """
                let node = try await site.node("a", try await site.hub().url, settings)
                try await withThrowingTaskGroup(of: Int?.self) { group in
                    // What the daemon has not taken when it stops has no answer.
                    for number in 0..<6 {
                        group.addTask { try? await node.control("GET", "/v1/art/tmdb:%2F\(number).jpg").status }
                    }
                    // More than that are not fetched at a time.
                    _ = try await until("four pictures are asked for", hearing: [source.bell]) {
                        source.requests.count >= 4 ? true : nil
                    }
                    #expect(try await node.stop() == .exited(0))
                    let answers = try await group.reduce(into: [Int]()) { answers, status in
                        if let status { answers.append(status) }
                    }
                    #expect(answers.count >= 4 && answers.allSatisfy { $0 >= 500 })
                }
            }
        }
    }
}
