internal import OperatingSystem
internal import PluginWire
internal import SyncModel

extension PluginExam {
    static var ending: [Case] {
        [
            Case(name: "end", promise: "ends by itself within 2 s when its input ends, with exit code 0") { candidate in
                let ending = try await candidate.greeted { _, _ in }.ending
                guard ending.isClean else { throw ExamFailure(words(ending)) }
            },
            Case(name: "end.early", promise: "ends by itself also before it was greeted") { candidate in
                let ending = try await candidate.talk { _ in }.ending
                guard ending.isClean else { throw ExamFailure(words(ending)) }
            },
            Case(name: "end.busy", promise: "ends in the middle of a call within 7 s, SIGTERM included") { candidate in
                let ending = try await candidate.greeted { talk, declaration in
                    let isCatalog = declaration.provides["catalog"] != nil
                    _ = talk.ask(
                        isCatalog ? "catalog.search" : "x-moviesync.no-such-call",
                        with: ["query": .string(candidate.query), "page": nil])
                }.ending
                guard ending != .signaled(9) else { throw ExamFailure("it had to be killed") }
            },
            Case(name: "sigterm", promise: "ends within 5 s when it gets SIGTERM") { candidate in
                guard candidate.isProgram else { throw ExamSkip("its process is not started here") }
                _ = try await candidate.greeted { talk, _ in
                    guard let process = talk.process else { throw ExamSkip("its process is not known") }
                    OtherProcess.terminate(process)
                    guard await talk.ends(within: .seconds(5)) else { throw ExamFailure("it goes on after SIGTERM") }
                }
            },
        ]
    }

    private static func words(_ ending: PluginEnding) -> String {
        switch ending {
        case .signaled(15): "it goes on when its input has ended, and had to get SIGTERM"
        case .signaled(9): "it goes on when its input has ended, and had to be killed"
        default: ending.words
        }
    }
}
