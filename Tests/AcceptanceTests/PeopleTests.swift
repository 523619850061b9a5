import ControlAPI
import FoundationEssentials
import SyncModel
import TestSupport
import Testing

/// Favourites, reviews and votes of people on two nodes.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct PeopleTests {
    private func withTwo(_ body: (Node, Node, Hub) async throws -> Void) async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            settings.collections = "movies, favourites, reviews, votes, profiles"
            let a = try await site.node("a", hub.url, settings)
            let b = try await site.node("b", hub.url, settings)
            try await body(a, b, hub)
        }
    }

    /// Runs a command that has to work.
    @discardableResult
    private func done(_ node: Node, _ words: String...) async throws -> ProgramResult {
        let run = try await node.tool(words, json: false)
        #expect(run.code == 0, "\(words): \(run.errors)")
        return run
    }

    @Test func `a favourite of one node is one on the other, and only that person's`() async throws {
        try await withTwo { a, b, hub in
            try await done(a, "favourite", "add", "348", "--title", "Alien", "--as", "anna", "--wait")
            #expect(try await hub.tree("/favourites/anna/348").members?["poster_path"] == "")
            try await b.untilRecords("the favourite", of: "favourites") { $0.count == 1 }
            #expect(try await b.tool(["favourite", "list", "--as", "anna"], json: false).output.contains("Alien"))
            #expect(
                try await b.tool(["favourite", "list", "--as", "bob"], json: false).output.contains("no favourites"))
            try await done(b, "favourite", "toggle", "348", "--as", "anna", "--wait")
            try await a.untilRecords("no favourite", of: "favourites") { $0.isEmpty }
            #expect(try await a.tool(["favourite", "remove", "348", "--as", "anna"], json: false).code == 66)
        }
    }

    @Test func `a favourite film of the library has its title`() async throws {
        try await withTwo { a, _, hub in
            let id = try await done(a, "add", "Brazil", "--field", "tmdbID=68", "--wait").line
            try await done(a, "favourite", "add", id, "--wait")
            #expect(try await hub.tree("/favourites/local/68").members?["title"] == "Brazil")
            try await done(a, "add", "Alien", "--wait")
            for json in [true, false] {
                let shown = try await a.tool(["list", "--favourites-only"], json: json).output
                #expect(shown.contains("Brazil") && !shown.contains("Alien"))
            }
            #expect(try await a.tool(["list", "--favourites-only", "--as", "anna"], json: false).output == "")
        }
    }

    @Test func `a film that gets its number later, or is deleted, keeps what was said of it`() async throws {
        try await withTwo { a, _, _ in
            let id = try await done(a, "add", "Brazil", "--wait").line
            for person in ["anna", "bob"] { try await done(a, "favourite", "add", id, "--as", person, "--wait") }
            try await done(a, "review", "add", id, "--text", "Odd", "--rating", "7", "--as", "anna", "--wait")
            try await done(a, "set", id, "tmdbID=68", "--wait")
            try await done(a, "review", "add", id, "--text", "Fine", "--rating", "8", "--as", "bob", "--wait")
            #expect(try await a.list("reviews").compactMap { $0["film"]?.text }.sorted() == ["68", id].sorted())
            #expect(try await done(a, "list", "--columns", "reviews,rating").output.contains("2\t7.5"))
            let reviews = try await done(a, "review", "list", id).output
            #expect(reviews.contains("Odd") && reviews.contains("Fine"))
            #expect(try await done(a, "list", "--favourites-only", "--as", "anna").output.contains(id))
            try await done(a, "favourite", "toggle", id, "--as", "anna", "--wait")
            try await done(a, "rm", id, "--wait")
            try await done(a, "favourite", "remove", id, "--as", "bob", "--wait")
            for person in ["anna", "bob"] { try await done(a, "review", "delete", id, "--as", person, "--wait") }
            try await a.untilRecords("no favourite", of: "favourites") { $0.isEmpty }
            try await a.untilRecords("no review", of: "reviews") { $0.isEmpty }
        }
    }

    @Test func `favourites move by files from one person to another`() async throws {
        try await withTwo { a, b, hub in
            let folder = a.folder
            try await done(a, "add", "Brazil", "--field", "tmdbID=68", "--wait")
            try Data(#"{"68": true, "348": true, "5": false}"#.utf8).write(to: URL(filePath: "\(folder)/marks.json"))
            let run = try await a.tool(["favourite", "import", "\(folder)/marks.json", "--as", "anna"], json: false)
            #expect(run.code == 65 && run.errors.contains("348") && !run.errors.contains("68"))
            try await b.untilRecords("the favourite", of: "favourites") { $0.count == 1 }
            try await done(b, "favourite", "export", "\(folder)/marks.plist", "--as", "anna")
            try await done(b, "favourite", "import", "\(folder)/marks.plist", "--as", "bob", "--wait")
            #expect(try await hub.tree("/favourites/bob/68").members?["title"] == "Brazil")
        }
    }

    @Test func `votes of two people at once are all counted, and stay when the review is edited`() async throws {
        try await withTwo { a, b, hub in
            try await done(a, "review", "add", "348", "--text", "Scary", "--rating", "9", "--as", "anna", "--wait")
            try await b.untilRecords("the review", of: "reviews") { $0.count == 1 }
            async let one = done(a, "review", "like", "348", "anna", "--as", "bob", "--wait")
            async let two = done(b, "review", "like", "348", "anna", "--as", "carl", "--wait")
            _ = try await (one, two)
            try await done(a, "review", "edit", "348", "--text", "Very scary", "--as", "anna", "--wait")
            for node in [a, b] {
                try await node.untilRecords("both votes", of: "votes") { $0.count == 2 }
                try await node.untilRecords("the edit", of: "reviews") { $0.values.first?["text"] == "Very scary" }
                let review = try await node.list("reviews/348").first
                #expect(review?["likes"] == 2 && review?["dislikes"] == 0 && review?["rating"] == 9)
            }
            try await done(b, "review", "clear", "348", "anna", "--as", "carl", "--wait")
            #expect(try await hub.tree("/votes/348/anna").members?.keys.sorted() == ["bob"])
        }
    }

    @Test func `lists show how films are reviewed`() async throws {
        try await withTwo { a, _, _ in
            try await done(a, "add", "Alien", "--field", "tmdbID=348")
            try await done(a, "add", "Brazil", "--field", "tmdbID=68", "--wait")
            for (person, rating) in [("anna", "9"), ("bob", "8"), ("carl", "8")] {
                try await done(
                    a, "review", "add", "348", "--text", "Scary", "--rating", rating, "--as", person, "--wait")
            }
            let columns = try await done(a, "list", "--columns", "title,reviews,rating", "--sort", "reviews")
            let rows = columns.output.split(separator: "\n").map { $0.split(separator: "\t").dropFirst() }
            #expect(
                rows.map { Array($0) } == [
                    ["title", "reviews", "rating", "pending"], ["Brazil", "0"], ["Alien", "3", "8.3"],
                ])
            let json = try await a.tool(["list", "--columns", "reviews"], json: true).output
            #expect(json.contains(#""reviews":3"#))
            #expect(try await done(a, "review", "list").output.contains("8.3"))
            #expect(try await a.list("reviews") == [["film": "348", "rating": 8.3, "ratings": 3, "reviews": 3]])
        }
    }

    @Test func `who keeps no votes counts none`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            var settings = NodeSettings()
            settings.collections = "movies, reviews"
            let node = try await site.node("a", hub.url, settings)
            try await done(node, "review", "add", "348", "--text", "Scary", "--as", "anna", "--wait")
            let review = try await node.list("reviews/348").first
            #expect(review?["text"] == "Scary" && review?["likes"] == 0)
        }
    }

    @Test(arguments: ["etag", "rules"])
    func `with the shipped rules people write what is theirs, and the daemon for all`(writeGuard: String) async throws {
        try await withSite { site in
            let hub = try await site.hub(rules: GuardedHubTests.rules, flags: ["--emulator"])
            let node = try await GuardedHubTests.node(
                "moviesync", site, hub, writeGuard: writeGuard, collections: "movies, reviews, votes")
            try await done(node, "review", "add", "348", "--text", "Scary", "--as", "anna", "--wait")
            let (anna, bob) = (Site.unsignedToken(of: "anna"), Site.unsignedToken(of: "bob"))
            let tried: [(String, String?, String?, Int)] = [
                ("/reviews/348/bob", #"{"text":"Fine","uid":"bob"}"#, bob, 200),
                ("/reviews/348/anna", #"{"text":"Mine now","uid":"bob"}"#, bob, 401),
                ("/reviews/348/zoe", #"{"text":"x"}"#, nil, 401),
                ("/reviews/348/anna", #"{"text":7}"#, anna, 401),
                ("/votes/348/anna/bob", #"{"vote":1}"#, bob, 200),
                ("/votes/348/anna/anna", #"{"vote":1}"#, anna, 401),
                ("/votes/348/anna/bob", #"{"vote":2}"#, bob, 401),
            ]
            for (path, body, token, status) in tried {
                let answer = try await hub.attempt("PUT", path, body, by: token)
                #expect(answer.status == status, "\(path) \(body ?? "")")
            }
            try await node.untilRecords("bob's vote", of: "votes") { $0.count == 1 }
            try await node.untilRecords("bob's review", of: "reviews") { $0.count == 2 }
            let liked = try await node.list("reviews/348").first
            #expect(liked?["uid"] == "anna" && liked?["likes"] == 1)
            try await done(node, "review", "delete", "348", "--as", "anna", "--wait")
            #expect(try await hub.tree("/reviews/348").members?.keys.sorted() == ["bob"])
        }
    }

    @Test func `what can't be is refused with a reason`() async throws {
        try await withTwo { a, _, _ in
            try await done(a, "review", "add", "348", "--text", "Scary", "--as", "anna", "--wait")
            let refused: [([String], Int)] = [
                (["review", "add", "348", "--text", "again", "--as", "anna"], 65),
                (["review", "like", "348", "anna", "--as", "anna"], 64),
                (["review", "like", "348", "zoe", "--as", "anna"], 66),
                (["review", "edit", "348", "--rating", "3", "--as", "bob"], 66),
                (["review", "clear", "348", "anna", "--as", "bob"], 66),
                (["review", "add", "7", "--text", "x", "--rating", "11", "--as", "anna", "--wait"], 65),
                (["profile", "set", "--bio", "x", "--as", "anna"], 64),
                (["profile", "show", "anna"], 66),
            ]
            for (words, code) in refused {
                let run = try await a.tool(words, json: false)
                #expect(run.code == code, "\(words): \(run.errors)")
                #expect(run.errors.split(separator: "\n").count == 1)
            }
        }
    }
}
