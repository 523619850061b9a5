internal import PluginWire
internal import SyncModel

extension PluginExam {
    private static let search = "catalog.search"
    /// No search and no list has more pages.
    private static let maxPages = 500

    static var catalog: [Case] {
        let cases: [Case] = [
            Case(
                name: "catalog.search",
                promise: "finds items with a key, a title, and years and pictures that can be such"
            ) {
                candidate in
                try await candidate.searching { talk in
                    try await check(pages: 1, of: search, ["query": .string(candidate.query)], talk, candidate)
                }
            },
            Case(
                name: "catalog.pages", promise: "pages end, no key comes twice, and a page is the same when asked again"
            ) {
                candidate in
                try await candidate.searching { talk in
                    let arguments: [String: JSONValue] = ["query": .string(candidate.query)]
                    try await check(pages: maxPages, of: search, arguments, talk, candidate)
                    let first = try await page(nil, of: search, arguments, talk, candidate).keys
                    guard try await page(nil, of: search, arguments, talk, candidate).keys == first else {
                        throw ExamFailure("the first page has other keys when it is asked again")
                    }
                }
            },
            Case(name: "catalog.empty", promise: "an empty search is refused, or finds nothing") { candidate in
                try await candidate.searching { talk in
                    let reply = try await talk.call(search, with: ["query": "", "page": nil])
                        .skipping(unless: candidate.isLive)
                    guard reply.error?.code == .refused || reply.error == nil && reply.items.isEmpty else {
                        throw ExamFailure(
                            reply.error.map { "it answers with the error \($0)" }
                                ?? "it finds \(reply.items.count) items")
                    }
                }
            },
            Case(name: "catalog.lists", promise: "each list that it names has items as a search has") { candidate in
                _ = try await candidate.greeted { talk, declaration in
                    guard case .array(let lists)? = declaration.provides["catalog"]?.members?["lists"], !lists.isEmpty
                    else { throw ExamSkip("it names no lists") }
                    for list in lists { try await check(pages: 1, of: "catalog.list", ["list": list], talk, candidate) }
                }
            },
            Case(name: "catalog.details", promise: "tells details of what it found, and notFound of what nobody has") {
                candidate in
                try await details(candidate)
            },
        ]
        return cases.map { promise in
            var promise = promise
            promise.capability = "catalog"
            return promise
        }
    }

    private static func details(_ candidate: ExamCandidate) async throws {
        _ = try await candidate.greeted { talk, declaration in
            guard declaration.provides["catalog"]?.members?["details"] == true else {
                throw ExamSkip("it tells no details")
            }
            let found = try await page(nil, of: search, ["query": .string(candidate.query)], talk, candidate).keys
            if let key = found.first {
                let reply = try await talk.call("catalog.details", with: ["key": .string(key)])
                    .skipping(unless: candidate.isLive)
                let said = try reply.ok("catalog.details").members?["key"] ?? reply.items.first?.members?["key"]
                guard said?.text == key else { throw ExamFailure("the details of \(key) have another key") }
            }
            let nobody = try await talk.call("catalog.details", with: ["key": "moviesync-no-such-key"])
                .skipping(unless: candidate.isLive)
            guard nobody.error?.code == .notFound else {
                throw ExamFailure("it answers a key that nobody has with \(nobody.error?.description ?? "ok")")
            }
        }
    }

    /// Walks over the pages of a call, and checks each item.
    private static func check(
        pages limit: Int, of call: String, _ arguments: [String: JSONValue], _ talk: ExamTalk,
        _ candidate: ExamCandidate
    ) async throws {
        var seen: Set<String> = []
        var next: JSONValue = nil
        for _ in 0..<limit {
            let page = try await page(next, of: call, arguments, talk, candidate)
            for key in page.keys where !seen.insert(key).inserted {
                throw ExamFailure("the key \(key) comes twice")
            }
            guard page.next != .null else { return }
            guard page.next.text != nil else { throw ExamFailure("next is \(page.next.kind), not a string or null") }
            next = page.next
        }
        if limit == maxPages { throw ExamFailure("after \(maxPages) pages there is still another one") }
    }

    private static func page(
        _ page: JSONValue, of call: String, _ arguments: [String: JSONValue], _ talk: ExamTalk,
        _ candidate: ExamCandidate
    ) async throws -> (keys: [String], next: JSONValue) {
        let reply = try await talk.call(call, with: .object(arguments.merging(["page": page]) { _, page in page }))
            .skipping(unless: candidate.isLive)
        let end = try reply.ok(call)
        return (try reply.items.map(key), end.members?["next"] ?? nil)
    }

    /// The key of an item that is as it should be.
    private static func key(of item: JSONValue) throws -> String {
        guard let members = item.members, let key = members["key"]?.text, !key.isEmpty else {
            throw ExamFailure("an item has no key that is a string")
        }
        guard let title = members["title"]?.text, !title.isEmpty else { throw ExamFailure("\(key) has no title") }
        if let year = members["year"], year != .null, year.whole == nil {
            throw ExamFailure("the year of \(key) is \(year.kind), not a whole number")
        }
        if case .array(let images)? = members["images"] {
            for image in images where (image.text ?? image.members?["url"]?.text)?.hasPrefix("https://") != true {
                throw ExamFailure("an image of \(key) has no address that begins with https://")
            }
        }
        return key
    }
}

extension ExamCandidate {
    /// A greeted plugin that says it can search.
    fileprivate func searching(_ body: @Sendable (ExamTalk) async throws -> Void) async throws {
        _ = try await greeted { talk, declaration in
            guard declaration.provides["catalog"]?.members?["search"] == true else { throw ExamSkip("it can't search") }
            try await body(talk)
        }
    }
}
