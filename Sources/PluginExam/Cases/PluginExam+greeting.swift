internal import PluginWire
internal import SyncModel

extension PluginExam {
    static let first = "hello"

    static var greeting: [Case] {
        [
            Case(name: first, promise: "answers hello within 10 s, and says the same when it is greeted again") {
                candidate in
                _ = try await candidate.greeted { talk, declaration in
                    let again = try await talk.call("hello", with: candidate.greeting.arguments, within: .seconds(10))
                    guard try ExamCandidate.declaration(again) == declaration else {
                        throw ExamFailure("it says something else of itself when it is greeted again")
                    }
                    guard !declaration.name.isEmpty, !declaration.version.isEmpty else {
                        throw ExamFailure("it does not say its name and version")
                    }
                }
            },
            Case(name: "hello.versions", promise: "answers hello without a common version with the error protocol") {
                candidate in
                _ = try await candidate.talk { talk in
                    var arguments = candidate.greeting.arguments.members ?? [:]
                    arguments["protocols"] = [99]
                    let reply = try await talk.call("hello", with: .object(arguments), within: .seconds(10))
                    guard reply.error?.code == .protocol else {
                        throw ExamFailure(
                            "it answers \(reply.error?.description ?? "ok") where only version 99 is offered")
                    }
                }
            },
            Case(name: "hello.unknown", promise: "ignores keys that it does not know") { candidate in
                _ = try await candidate.talk { talk in
                    var arguments = candidate.greeting.arguments.members ?? [:]
                    arguments["brandNew"] = ["a": [1, nil]]
                    _ = try ExamCandidate.declaration(
                        try await talk.call("hello", with: .object(arguments), within: .seconds(10)))
                }
            },
            Case(name: "quiet", promise: "prints nothing before it is greeted") { candidate in
                _ = try await candidate.talk { talk in
                    if await talk.prints(within: .seconds(1)) {
                        throw ExamFailure("it printed something before hello")
                    }
                }
            },
        ]
    }
}
