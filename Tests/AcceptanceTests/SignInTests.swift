import ControlAPI
import FoundationEssentials
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// People who sign in at the hub, and what is written in their names.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct SignInTests {
    /// Rules by which nobody but the author writes a review: not even the daemon.
    private static let rules = """
        {"rules": {
          "movies": {".read": "auth != null", ".write": "auth != null"},
          "moviesync": {".read": "auth != null", ".write": "auth != null"},
          "profiles": {".read": "auth != null", ".write": "auth != null"},
          "favourites": {".read": "auth != null", ".write": "auth != null"},
          "reviews": {".read": "auth != null", "$film": {"$uid": {".write": "auth.uid == $uid"}}}
        }}
        """

    private func withNode(_ body: (Site, Hub, Node) async throws -> Void) async throws {
        try await withSite { site in
            let hub = try await site.hub(rules: GuardedHubTests.rules, flags: ["--emulator"])
            try await hub.replaceRules(Self.rules)
            let node = try await GuardedHubTests.node(
                "moviesync", site, hub, writeGuard: "etag", collections: "movies, reviews, profiles, favourites")
            for (name, word) in [("good", "geheim1"), ("bad", "falsch1")] {
                let path = node.folder.appending(name).string
                let isMade = FileManager.default.createFile(
                    atPath: path, contents: Data((word + "\n").utf8), attributes: [.posixPermissions: 0o600])
                #expect(isMade)
            }
            try await body(site, hub, node)
        }
    }

    private func account(
        _ node: Node, _ command: String, _ more: String..., email: String = "anna@example.org",
        password: String = "good"
    ) async throws -> ProgramResult {
        let words = [command, "--email", email, "--password-file", node.folder.appending(password).string]
        return try await node.tool(words + more, json: false)
    }

    /// Somebody has signed in, and the account is disabled; the daemon has to ask for a token anew. Gives their `uid`.
    private func endedSession(_ hub: Hub, _ node: Node) async throws -> String {
        #expect(try await account(node, "register").code == 0)
        let uid = try #require(try await node.control("GET", "/v1/session").json.members?["uid"]?.text)
        try await hub.account("update", #"{"localId":"\#(uid)","disableUser":true}"#)
        try await node.stop()
        try await node.start()
        return uid
    }

    @Test func `what somebody says who has signed in is written in their name`() async throws {
        try await withNode { _, hub, node in
            #expect(try await account(node, "login").code == 77)
            #expect(try await node.tool(["whoami"], json: false).output.hasPrefix("local"))
            #expect(try await account(node, "register").code == 0)
            #expect(try await account(node, "register").code == 65)
            let uid = try #require(try await node.control("GET", "/v1/session").json.members?["uid"]?.text)
            let added = try await node.tool(["review", "add", "348", "--text", "Scary", "--wait"], json: false)
            #expect(added.code == 0, "\(added.errors)")
            #expect(try await hub.tree("/reviews/348").members?.keys.sorted() == [uid])
            #expect(Site.text(of: node.journal).contains(#""by":"\#(uid)""#))
            #expect(try await node.tool(["review", "edit", "348", "--rating", "9", "--wait"], json: false).code == 0)
            // Without a session the daemon writes it, whom these rules do not let.
            let other = try await node.tool(
                ["review", "add", "348", "--text", "x", "--as", "zoe", "--wait"], json: false)
            #expect(other.code == 65 && other.errors.contains("Permission denied"), "\(other.errors)")
            #expect(try await node.tool(["review", "list", "348"], json: false).output.contains("Scary"))
            let mode = try FileManager.default.attributesOfItem(atPath: node.state.appending("sessions.json").string)
            #expect((mode[.posixPermissions] as? Int) == 0o600)
            #expect(try await node.status().people?.map(\.state) == [.signedIn])
            #expect(try await node.tool(["logout"], json: false).output == "anna is signed out\n")
            #expect(try await node.tool(["logout"], json: false).code == 65)
        }
    }

    @Test func `a person's picture is stored in their name`() async throws {
        try await withNode { _, hub, node in
            #expect(try await account(node, "register").code == 0)
            let picture = node.folder.appending("anna.png").string
            try #require(PictureTests.png).write(to: URL(filePath: picture))
            let run = try await node.tool(
                ["profile", "set", "--name", "Anna", "--picture", picture, "--wait"], json: false)
            #expect(run.code == 0, "\(run.errors)")
            let uid = try #require(try await node.control("GET", "/v1/session").json.members?["uid"]?.text)
            let photo = try await hub.tree("/profiles/\(uid)/photo").text
            #expect(photo?.contains("profiles%2F\(uid).jpg") == true)
            // A session that has ended stores nothing, and says so, also where the daemon has a token that was good.
            try await hub.account("update", #"{"localId":"\#(uid)","disableUser":true}"#)
            let late = try await node.tool(["profile", "set", "--picture", picture], json: false)
            #expect(late.code == 77 && late.errors.contains("has to sign in again"), "\(late.errors)")
            #expect(late.errors.contains("disabled"), "\(late.errors)")
            #expect(try await node.tool(["whoami"], json: false).code == 77)
        }
    }

    @Test func `several people are signed in, each by a name`() async throws {
        try await withNode { _, _, node in
            #expect(try await account(node, "register", "--name", "me").code == 0)
            let words = [
                "register", "--email", "bob@example.org", "--password-file", node.folder.appending("good").string,
            ]
            #expect(try await node.tool(words + ["--name", "me"], json: false).code == 65)
            #expect(try await node.tool(words, json: false).code == 0)
            let all = try await node.list("sessions")
            #expect(all.map { $0["name"]?.text } == ["bob", "me"])
            #expect(all.map { $0["localUsers"] == .array([]) } == [false, true])
            for name in ["me", "bob"] {
                let run = try await node.tool(
                    ["review", "add", "348", "--text", name, "--as", name, "--wait"], json: false)
                #expect(run.code == 0, "\(run.errors)")
            }
            try await node.untilRecords("both reviews", of: "reviews") { $0.count == 2 }
            // The names of sessions stay here: who says it is known by the uid.
            let uids = Set(try await node.list("reviews/348").compactMap { $0["uid"]?.text })
            #expect(uids == Set(all.compactMap { $0["uid"]?.text }))
        }
    }

    @Test func `an account is known however its address is spelled, and a name that is taken makes none`() async throws
    {
        try await withNode { _, _, node in
            #expect(try await account(node, "register").code == 0)
            let uid = try await node.control("GET", "/v1/session").json.members?["uid"]
            #expect(try await account(node, "login", "--name", "anna", email: "Anna@Example.org").code == 0)
            #expect(try await node.control("GET", "/v1/session").json.members?["uid"] == uid)
            #expect(try await account(node, "register", "--name", "anna", email: "zoe@example.org").code == 65)
            #expect(try await account(node, "register", "--name", "local", email: "zoe@example.org").code == 64)
            #expect(try await account(node, "register", email: "zoe@example.org").code == 0)
        }
    }

    @Test func `favourites of before become those of who signs in first, however many they are`() async throws {
        try await withNode { _, hub, node in
            for film in 1...7 {
                let words = ["favourite", "add", "\(film)", "--title", "Film \(film)", "--wait"]
                #expect(try await node.tool(words, json: false).code == 0)
            }
            let run = try await account(node, "register")
            #expect(run.code == 0, "\(run.errors)")
            try await node.until("nothing waits") { $0.pending == 0 && $0.collections["favourites"]?.records == 7 }
            let uid = try #require(try await node.control("GET", "/v1/session").json.members?["uid"]?.text)
            #expect(try await hub.tree("/favourites").members?.keys.sorted() == [uid])
            #expect(try await node.status().holds.isEmpty)
            #expect(try await account(node, "register", email: "bob@example.org").code == 0)
            #expect(try await node.list("favourites?person=\(uid)").count == 7)
        }
    }

    @Test func `a session that has ended is a hold, and what waited goes out when the person signs in again`()
        async throws
    {
        try await withNode { _, hub, node in
            let uid = try await endedSession(hub, node)
            let added = try await node.tool(["review", "add", "348", "--text", "Scary", "--wait"], json: false)
            #expect(added.code == 77 && added.errors.contains("sessionEnded"), "\(added.errors)")
            let hold = try #require(try await node.status().holds.first)
            #expect(hold.kind == "sessionEnded" && hold.person == uid)
            #expect(try await node.tool(["whoami"], json: false).code == 77)
            let film = try await node.tool(["add", "Brazil", "--wait"], json: false)
            #expect(film.code == 0, "\(film.errors)")
            #expect(try await account(node, "login").code == 77)
            try await hub.account("update", #"{"localId":"\#(uid)","disableUser":false}"#)
            #expect(try await account(node, "login").code == 0)
            try await node.until("nothing waits") { $0.holds.isEmpty && $0.pending == 0 }
            #expect(try await hub.tree("/reviews/348/\(uid)/text") == "Scary")
            let log = try #require(node.program).said.joined()
            #expect(!log.contains("geheim1") && !log.contains("refreshToken"))
        }
    }

    @Test func `a session that had ended is tried again when its hold is approved`() async throws {
        try await withNode { _, hub, node in
            let uid = try await endedSession(hub, node)
            let added = try await node.tool(["review", "add", "348", "--text", "Scary", "--wait"], json: false)
            #expect(added.code == 77, "\(added.errors)")
            // In vain, as long as the account is disabled.
            for isDisabled in [true, false] {
                try await hub.account("update", #"{"localId":"\#(uid)","disableUser":\#(isDisabled)}"#)
                let hold = try #require(try await node.status().holds.first)
                #expect(try await node.tool(["approve", "\(hold.id)"], json: false).code == 0)
                guard isDisabled else { continue }
                try await node.until("it waits again") { $0.holds.first.map { $0.id > hold.id } ?? false }
            }
            try await node.until("nothing waits") { $0.holds.isEmpty && $0.pending == 0 }
            #expect(try await hub.tree("/reviews/348/\(uid)/text") == "Scary")
        }
    }

    @Test func `who is signed out by rejecting a hold is waited for in no collection`() async throws {
        try await withNode { _, hub, node in
            _ = try await endedSession(hub, node)
            for words in [["review", "add", "348", "--text", "Scary"], ["profile", "set", "--name", "Me"]] {
                let run = try await node.tool(words + ["--wait"], json: false)
                #expect(run.code == 77 && run.errors.contains("sessionEnded"), "\(run.errors)")
            }
            let holds = try await node.status().holds
            #expect(Set(holds.map(\.collection)) == ["reviews", "profiles"])
            #expect(try await node.tool(["reject", "\(try #require(holds.first).id)"], json: false).code == 0)
            // Whether the rules let the daemon write for others is another matter.
            try await node.until("no hold is left") { $0.holds.isEmpty }
            #expect(try await node.list("sessions").isEmpty)
        }
    }

    @Test func `a line of one person about what is another's goes to quarantine`() async throws {
        try await withNode { _, _, node in
            try node.append(
                #"{"op":"create","collection":"reviews","by":"bob","fields":{"film":"9","uid":"anna","text":"x"}}"#
                    + "\n")
            try node.append(#"{"op":"delete","collection":"reviews","by":"bob","id":"9/anna"}"# + "\n")
            try await node.until("both lines refused") { $0.journal.quarantined == 2 }
            #expect(Set(try await node.list("quarantine").map { $0["code"]?.text }) == ["notYours"])
        }
    }
}
