import SyncModel
import SystemPackage
import TestSupport
import Testing

/// `serve-firebase export` and `import`, while the hubs run.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct TransferTests {
    private static let tree: String = """
        {"movies":{"6F9619FF-8B86-4011-B42D-00C04FC964FF":{"title":"Ä \\"q\\" \\\\ 🎬","hasWatched":true,"year":1979,
        "cast":["a","b",{"c":[1,2]}],"rating":7.5,"huge":9007199254740993,"minus":-0.001}},
        "7":{"1":"one","5":"five"},"list":["a",null,"c"],"key with é \\/ no":"x","deep":{"a":{"b":{"c":{"d":[[1],[2]]}}}}}
        """.replacing("\\/ no", with: "")

    private func withHubs(_ body: (Site, Hub, Hub) async throws -> Void) async throws {
        try await withSite { site in
            let first = try await site.hub("first")
            try await first.write("PUT", "/", Self.tree)
            let large = (0..<300).map { "\"k\($0)\":\"\(String(repeating: "x", count: 100))\"" }.joined(separator: ",")
            try await first.write("PUT", "/large", "{\(large)}")
            try await body(site, first, try await site.hub("second"))
        }
    }

    private func transfer(_ site: Site, _ hub: Hub, _ arguments: [String], input: String = "") async throws
        -> ProgramResult
    {
        let command = ["serve-firebase", arguments[0], "--url", hub.url] + arguments.dropFirst()
        return try await site.run(.moviesyncd, command, input: input)
    }

    @Test(arguments: [[], ["--max-request", "4096"]]) func `what was exported and imported is the same`(
        _ more: [String]
    )
        async throws
    {
        try await withHubs { site, first, second in
            let exported = try await transfer(site, first, ["export", "all.json"])
            #expect(exported.code == 0, "\(exported.errors)")
            let file = site.folder.appending("all.json")
            #expect(try await first.write("GET", "/").text == Site.text(of: file))
            let imported = try await transfer(site, second, ["import", "all.json"] + more)
            #expect(imported.code == 0, "\(imported.errors)")
            #expect(imported.errors.contains("steps") == !more.isEmpty)
            #expect(try await first.tree("/") == second.tree("/"))
            let again = try await transfer(site, second, ["export", "-"])
            #expect(again.output == Site.text(of: file))
            try await second.kill()
            try await second.start()
            #expect(try await first.tree("/") == second.tree("/"))
        }
    }

    @Test func `priorities are kept`() async throws {
        try await withHubs { site, first, second in
            try await first.write("PUT", "/deep/a/.priority", "3")
            #expect(try await transfer(site, first, ["export", "all.json"]).code == 0)
            #expect(Site.text(of: site.folder.appending("all.json")).contains(#""a":{".priority":3,"#))
            #expect(try await transfer(site, second, ["import", "all.json"]).code == 0)
            #expect(try await first.tree("/") == second.tree("/"))
            #expect(try await second.tree("/deep/a/.priority") == 3)
        }
    }

    @Test func `data is never replaced unasked`() async throws {
        try await withHubs { site, first, second in
            try await second.write("PUT", "/", #"{"movies":{"x":{"title":"mine"}},"mine":1}"#)
            let file = #"{"movies":{"y":{"title":"new"}},"other":2}"#
            let refused = try await transfer(site, second, ["import", "-"], input: file)
            #expect(refused.code == 73 && refused.errors.contains("--replace"), "\(refused.errors)")
            #expect(try await second.tree("/mine") == 1)
            #expect(try await transfer(site, second, ["import", "--merge", "-"], input: file).code == 0)
            #expect(try await second.tree("/") == ["movies": ["y": ["title": "new"]], "mine": 1, "other": 2])
            #expect(
                try await transfer(site, second, ["import", "--path", "/movies/z", "-"], input: #"{"t":[1]}"#).code == 0
            )
            #expect(try await second.tree("/movies/z/t/0") == 1)
            #expect(try await transfer(site, second, ["import", "--replace", "-"], input: file).code == 0)
            #expect(try await second.tree("/") == ["movies": ["y": ["title": "new"]], "other": 2])
            for empty in ["null", "{}"] {
                #expect(try await transfer(site, second, ["import", "--replace", "-"], input: empty).code == 65)
            }
            #expect(try await second.tree("/other") == 2)
        }
    }

    @Test func `what goes wrong says why and changes nothing`() async throws {
        try await withHubs { site, first, second in
            let broken = try await transfer(site, second, ["import", "-"], input: "{\"a\":1,\n\"b\":}")
            #expect(broken.code == 65 && broken.errors.contains("-:2:5: a value is expected"), "\(broken.errors)")
            let key = try await transfer(site, second, ["import", "-"], input: #"{"a.b":1}"#)
            #expect(key.code == 65 && key.errors.contains("nothing was imported"), "\(key.errors)")
            #expect(try await second.tree("/") == .null)
            let attempts: [([String], Int)] = [
                (["import", "none.json"], 74), (["export", "no/where.json"], 74), (["export", "."], 74),
                (["import"], 64),
                (["import", "--merge", "--replace", "x"], 64), (["export", "--path", "a.b", "x"], 64),
                (["export", "--credential-file", "none", "x"], 74),
            ]
            for (arguments, code) in attempts {
                let result = try await transfer(site, first, arguments)
                #expect(result.code == code, "\(arguments): \(result.errors)")
            }
            try await second.replaceRules(#"{"rules":{".read":false,".write":false}}"#)
            #expect(try await transfer(site, second, ["export", "x.json"]).code == 77)
            #expect(try await transfer(site, second, ["import", "--replace", "-"], input: "1").code == 77)
            try await second.kill()
            let dead = try await transfer(site, second, ["export", "x.json"])
            #expect(dead.code == 69 && dead.errors.split(separator: "\n").count == 1, "\(dead.errors)")
            let left = try await site.shell("ls").line
            #expect(!left.contains("x.json") && !left.contains(".part"))
        }
    }
}
