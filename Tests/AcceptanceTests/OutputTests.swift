import ControlAPI
import FoundationEssentials
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// What every command says with `--json`: a new one has to be added here, and to have the shape of the others.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct OutputTests {
    enum Shape {
        /// `{"items":[…],"next":…}`, with more beside where there is more to say.
        case list
        /// One object, without a list of its own.
        case object
        /// An object for each thing that was done, one a line.
        case objects
        /// Numbered rows of a catalog, which have the numbers that `save` takes.
        case rows
        /// A file for other programs, which says itself what is in it.
        case file
        /// Goes on until it is interrupted; its lines are those of `changes`.
        case endless
        /// Can't be done here: it fails, and says so.
        case failure
    }

    private static let film = "6F9619FF-8B86-4011-B42D-00C04FC964F1"

    /// For each command what stands behind it, and what comes of that, in the order they are tried. `JOURNAL` and `FOLDER`
    /// are filled in.
    private static let commands: KeyValuePairs<String, (words: [String], shape: Shape)> = [
        "add": (["Brazil"], .object), "set": ([film, "year=1979"], .object), "watched": ([film], .objects),
        "unwatched": ([film], .objects), "toggle": ([film], .objects), "list": ([], .list),
        "show": ([film], .object), "search": (["alien"], .failure), "save": (["1"], .failure),
        "catalog status": ([], .list), "catalog list": (["tmdb"], .failure), "catalog home": ([], .rows),
        "artist search": (["x"], .failure), "artist save": (["1"], .failure), "artist show": (["x"], .failure),
        "artist export": (["-"], .file), "artist import": (["FOLDER/none"], .failure),
        "favourite add": (["348"], .failure), "favourite toggle": ([film], .objects),
        "favourite remove": ([film], .objects), "favourite list": ([], .list), "favourite export": (["-"], .file),
        "favourite import": (["FOLDER/none"], .failure), "review add": ([film, "--text", "Good"], .object),
        "review edit": ([film, "--text", "Better"], .object), "review list": ([film], .list),
        "review like": ([film, "bob"], .failure), "review dislike": ([film, "bob"], .failure),
        "review clear": ([film, "bob"], .failure), "review delete": ([film], .object),
        "login": (["--email", "a@b", "--password-file", "FOLDER/none"], .failure),
        "register": (["--email", "a@b", "--password-file", "FOLDER/none"], .failure), "logout": ([], .failure),
        "whoami": ([], .object), "profile set": (["--name", "Anna"], .object), "profile show": (["local"], .object),
        "status": ([], .object),
        "top": ([], .endless), "health": ([], .object), "doctor": ([], .list), "metrics": ([], .object),
        "watch": ([], .endless), "changes": ([], .list), "sync": ([], .object), "pause": ([], .object),
        "resume": ([], .object), "reload": ([], .object), "verify": ([], .object), "nodes": ([], .list),
        "plugin list": ([], .list), "plugin restart": (["x"], .failure), "plugin test": (["/bin/false"], .list),
        "plugin unit": (["x", "/bin/true"], .object), "hook list": ([], .list), "hook failed": ([], .list),
        "hook retry": (["x"], .failure), "hook drop": (["x", "1"], .failure), "web": ([], .failure),
        "about": ([], .object), "holds": ([], .list), "approve": (["999"], .failure), "reject": (["999"], .failure),
        "quarantine list": ([], .list), "quarantine show": (["1"], .object), "quarantine retry": (["1"], .objects),
        "quarantine export": (["1"], .file), "quarantine drop": (["1"], .objects), "conflicts": ([], .list),
        "restore": (["999"], .failure), "why": ([film], .object), "trace": ([film], .list),
        "history": ([film], .list), "undo": (["--since", "1h", "--dry-run"], .object),
        "journal verify": (["JOURNAL"], .object), "journal stat": (["JOURNAL"], .object),
        "journal replay": (["--dry-run", "JOURNAL"], .object), "backup": (["FOLDER/copy.sqlite"], .object),
        "rm": ([film], .objects),
    ]

    /// The names of all commands, as the tool itself lists them.
    private func names(_ site: Site) async throws -> [String] {
        let help = try await site.run(.moviesync, ["--experimental-dump-help"])
        func leaves(_ command: JSONValue, _ path: [String]) -> [String] {
            guard case .array(let all)? = command.members?["subcommands"] else { return [path.joined(separator: " ")] }
            let below = all.filter { $0.members?["commandName"] != "help" }
            if below.isEmpty { return [path.joined(separator: " ")] }
            return below.flatMap { leaves($0, path + [$0.members?["commandName"]?.text ?? ""]) }
        }
        return leaves(try #require(try help.json().members?["command"]), [])
    }

    private func node(_ site: Site) async throws -> Node {
        let hub = try await site.hub()
        var settings = NodeSettings()
        settings.collections = "movies, artists, favourites, reviews, votes, profiles"
        let node = try await site.node("a", hub.url, settings)
        try node.append("create", Self.film, #"{"title":"Alien"}"#)
        try node.append("no line\n")
        try await node.until("the film and the bad line") {
            $0.collections["movies"]?.records == 1 && $0.journal.quarantined == 1
        }
        try await node.settled()
        return node
    }

    @Test func `every command has the shape of its like`() async throws {
        try await withSite { site in
            let names = try await names(site)
            #expect(Set(names) == Set(Self.commands.map(\.key)), "a command is missing here, or is no more")
            let node = try await node(site)
            for (name, command) in Self.commands {
                if case .endless = command.shape { continue }
                let words = command.words.map {
                    $0.replacing("JOURNAL", with: node.journal.string).replacing("FOLDER", with: node.folder.string)
                }
                let result = try await node.tool(
                    ["--json"] + name.split(separator: " ").map(String.init) + words, json: false)
                do { try check(name, command.shape, result) } catch { Issue.record(error) }
            }
        }
    }

    private func check(_ name: String, _ shape: Shape, _ result: ProgramResult) throws {
        if case .failure = shape {
            #expect(result.code != 0 && result.output.isEmpty, "\(name): \(result.output)")
            let last = result.errors.split(separator: "\n").last.map(String.init) ?? ""
            let error = try json(name, last).members?["error"]?.members
            #expect(error?["code"]?.text?.isEmpty == false && error?["message"]?.text?.isEmpty == false, "\(name)")
            return
        }
        #expect(!result.output.isEmpty, "\(name) says nothing: \(result.errors)")
        if case .file = shape { return }
        let lines = result.output.split(separator: "\n")
        if case .objects = shape {} else { #expect(lines.count == 1, "\(name) says more than one line") }
        for line in lines {
            let value = try json(name, String(line))
            let members = try #require(value.members, "\(name) says no object")
            let lists = members.filter {
                if case .array(let all) = $0.value { all.contains { $0.members != nil } } else { false }
            }
            if case .list = shape {
                guard case .array(let items)? = members["items"] else { throw TooLate("\(name) has no items: \(line)") }
                #expect(members["next"] == .null, "\(name) has no next")
                #expect(Set(lists.keys).isSubset(of: ["items"]), "\(name) has other lists: \(lists.keys)")
                for item in items { checkNames(name, item) }
            } else {
                #expect(members["items"] == nil, "\(name) is a list")
                for (_, list) in lists { if case .array(let all) = list { for item in all { checkNames(name, item) } } }
            }
            checkNames(name, value)
        }
    }

    private func json(_ name: String, _ text: String) throws -> JSONValue {
        guard let value = try? ControlJSON.read(JSONValue.self, from: Data(text.utf8)) else {
            throw TooLate("\(name) says no JSON: \(text)")
        }
        return value
    }

    /// The same things have the same names: whatever says of what collection it is says of which record, and a moment is
    /// called for what it is.
    private func checkNames(_ name: String, _ item: JSONValue) {
        guard let members = item.members else { return }
        let named = !Set(members.keys).isDisjoint(with: ["id", "record", "set", "key", "name", "compared"])
        if members["collection"] != nil { #expect(named, "\(name): \(members)") }
        for wrong in ["uuid", "recordID", "time", "timestamp", "date", "when", "created", "createdAt"] {
            #expect(members[wrong] == nil, "\(name) calls something \(wrong)")
        }
        let moments = ["at", "since", "until", "edited", "earliest", "latest"]
        for (key, value) in members {
            guard let text = value.text, text.count >= 20, text.hasPrefix("20"), Moment(text) != nil else { continue }
            #expect(
                moments.contains(key) || key.hasSuffix("At") || key.hasSuffix("Since"), "\(name): \(key) is a moment")
        }
    }

    @Test func `every list of the control socket has one shape`() async throws {
        try await withSite { site in
            let node = try await node(site)
            let lists = [
                "collections", "records/movies", "changes?after=0", "history/movies/\(Self.film)", "holds",
                "quarantine",
                "conflicts", "nodes", "checks", "plugins", "hooks", "hooks/events", "catalogs", "reviews",
                "reviews/\(Self.film)",
                "favourites",
            ]
            for list in lists {
                let answer = try await node.control("GET", "/v1/\(list)")
                #expect(answer.status == 200, "\(list): \(answer.text)")
                let members = try #require(try answer.json.members)
                guard case .array(let items)? = members["items"] else { throw TooLate("\(list): \(answer.text)") }
                #expect(members["next"] != nil, "\(list) has no next")
                for item in items { checkNames(list, item) }
            }
        }
    }

    @Test(arguments: [["status", "--nonsense"], ["frobnicate"], ["list", "--limit", "0"], ["show"], ["add"]])
    func `a mistake is JSON too`(words: [String]) async throws {
        try await withSite { site in
            let result = try await site.run(.moviesync, words + ["--json"])
            #expect(result.code == 64)
            try check(words.joined(separator: " "), .failure, result)
        }
    }
}
