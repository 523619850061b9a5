internal import OperatingSystem
internal import PluginWire
internal import SyncModel

extension PluginExam {
    /// A call that no plugin has.
    private static let unknown = "x-moviesync.no-such-call"

    static var calling: [Case] {
        [
            Case(name: "unknownCall", promise: "answers a call that it does not know with unknownCall, and goes on") {
                candidate in
                _ = try await candidate.greeted { talk, _ in
                    for _ in 0..<2 { try await askUnknown(talk, [:]) }
                }
            },
            Case(name: "text.long", promise: "reads a line of 1 MiB") { candidate in
                _ = try await candidate.greeted { talk, _ in
                    let frame = PluginLine.call(1_000, unknown, with: ["text": ""]).count
                    let text = String(repeating: "\u{1F3AC}", count: ((1 << 20) - frame) / 4)
                    try await askUnknown(talk, ["text": .string(text)])
                    try await askUnknown(talk, [:])
                }
            },
            Case(name: "text.strange", promise: "reads quotes, line ends, NUL and every other character") { candidate in
                _ = try await candidate.greeted { talk, _ in
                    let text = "\" \\ \n \r \t \0 \u{7F} \u{2028} \u{FFFF} \u{1F3AC} e\u{301}"
                    try await askUnknown(talk, ["title": .string(text), text: [.string(text)]])
                    try await askUnknown(talk, [:])
                }
            },
            Case(name: "many", promise: "answers 1,000 calls, and its memory does not grow by more than a fifth") {
                candidate in
                _ = try await candidate.greeted { talk, _ in
                    for _ in 0..<100 { try await askUnknown(talk, [:]) }
                    let before = talk.process.flatMap(OtherProcess.residentBytes)
                    for _ in 0..<900 { try await askUnknown(talk, [:]) }
                    let after = talk.process.flatMap(OtherProcess.residentBytes)
                    // Below a few MiB growth says nothing.
                    guard let before, let after, after > before + before / 5, after - before > 4 << 20 else { return }
                    throw ExamFailure("its memory grew from \(before >> 20) to \(after >> 20) MiB")
                }
            },
            Case(name: "concurrency", promise: "ends as many calls at a time as it says it can") { candidate in
                _ = try await candidate.greeted { talk, declaration in
                    let ids = (0..<declaration.concurrency).map { _ in talk.ask(unknown) }
                    for id in ids { _ = try await talk.reply(to: id, "one of \(ids.count) calls at a time") }
                }
            },
            Case(name: "cancel", promise: "ends a cancelled call within 5 s, and goes on") { candidate in
                _ = try await candidate.greeted { talk, declaration in
                    let name = declaration.provides["catalog"] == nil ? unknown : "catalog.search"
                    let id = talk.ask(name, with: ["query": .string(candidate.query), "page": nil])
                    talk.cancel(id)
                    _ = try await talk.reply(to: id, "a cancelled call", within: .seconds(5))
                    // It has ended: nothing may come of a cancel that is late.
                    talk.cancel(id)
                    talk.cancel(4_711)
                    try await askUnknown(talk, [:])
                }
            },
        ]
    }

    private static func askUnknown(_ talk: ExamTalk, _ arguments: JSONValue) async throws {
        let reply = try await talk.call(unknown, with: arguments)
        guard reply.error?.code == .unknownCall else {
            throw ExamFailure("it answers a call that it can't know with \(reply.error?.description ?? "ok")")
        }
    }
}
