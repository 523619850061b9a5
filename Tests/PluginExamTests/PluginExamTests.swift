import OperatingSystem
import PluginWire
import SyncModel
import TestSupport
import Testing

@testable import PluginExam
@testable import PluginLink

@Suite(.inTurn, .timeLimit(.minutes(2))) struct PluginExamTests {
    private let folder: TemporaryFolder

    init() throws {
        ThisProcess.ignoreClosedPipes()
        folder = try TemporaryFolder()
    }

    private func results(of text: String, only: Set<String> = []) async throws -> [ExamResult] {
        let candidate = try ExamCandidate(
            program: try written(text, in: folder), arguments: [], settings: [:], secrets: [:])
        var results: [ExamResult] = []
        await PluginExam(candidate, only: only).run { results.append($0) }
        return results
    }

    private func failed(_ results: [ExamResult]) -> [String: String] {
        var failed: [String: String] = [:]
        for result in results { if case .failed(let reason) = result.verdict { failed[result.name] = reason } }
        return failed
    }

    @Test(arguments: DocumentedPlugin.allCases.filter(\.isRunnable))
    func `the plugins of the documentation keep all promises`(_ plugin: DocumentedPlugin) async throws {
        let results = try await results(of: try plugin.text())
        #expect(failed(results) == [:])
        let passed = Set(results.filter { $0.verdict == .passed }.map(\.name))
        let everybody = PluginExam.cases.filter { $0.capability == nil }.map(\.name)
        #expect(passed.isSuperset(of: everybody))
        let own =
            switch plugin {
            case .python: "catalog.pages"
            case .hook: "hook"
            case .jq: "check"
            }
        #expect(passed.contains(own))
    }

    struct Mistake: CustomTestStringConvertible, Sendable {
        let right: String
        let wrong: String
        /// What is tried, and fails.
        let name: String
        /// A part of what is said about it.
        let reason: String

        var testDescription: String { "\(name): \(wrong)" }
    }

    static let mistakes = [
        Mistake(
            right: "for line in", wrong: "print('ready')\nfor line in", name: "hello",
            reason: "it printed \"ready\", which is no JSON object"),
        Mistake(right: #""version": "1.0","#, wrong: "", name: "hello", reason: "its name and version"),
        Mistake(right: #""protocol": 1"#, wrong: #""protocol": 2"#, name: "hello", reason: "it speaks 2"),
        Mistake(
            right: #"ok={"protocol": 1"#, wrong: #"ok={"disable": "no key is set", "protocol": 1"#, name: "hello",
            reason: "no key is set"),
        Mistake(right: "#!/usr/bin/env python3", wrong: "#!/nonexistent", name: "hello", reason: "can't be started"),
        Mistake(
            right: #""code": "protocol""#, wrong: #""code": "internal""#, name: "hello.versions",
            reason: "it answers internal"),
        Mistake(right: #""unknownCall""#, wrong: #""whatIsThat""#, name: "unknownCall", reason: "whatIsThat"),
        Mistake(
            right: "    m = json", wrong: "    if len(line) > 65536: sys.exit(1)\n    m = json", name: "text.long",
            reason: "it ended before it had answered"),
        Mistake(
            right: "    m = json", wrong: "    FILMS += [bytearray(100000)] * 0 or [bytearray(100000)]\n    m = json",
            name: "many", reason: "its memory grew from"),
        Mistake(
            right: "    elif call:", wrong: "    elif call and i % 2:", name: "concurrency", reason: "it did not end"),
        Mistake(
            right: "    elif call:",
            wrong: "    elif m.get('cancel'):\n        say(id=m['cancel'], ok={})\n    elif call:",
            name: "cancel", reason: "after the end of the call"),
        Mistake(
            right: "for line in", wrong: "import os, atexit\natexit.register(os._exit, 3)\nfor line in", name: "end",
            reason: "exit code 3"),
        Mistake(
            right: "for line in",
            wrong: "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nfor line in", name: "sigterm",
            reason: "it goes on after SIGTERM"),
        Mistake(right: #""key": "2""#, wrong: #""key": "1""#, name: "catalog.search", reason: "the key 1 comes twice"),
        Mistake(right: #""title": "Alien", "#, wrong: "", name: "catalog.search", reason: ""),
        Mistake(right: #""year": 1979"#, wrong: #""year": "1979""#, name: "catalog.search", reason: "a string"),
        Mistake(
            right: #"{"next": None}"#, wrong: #"{"next": "2"}"#, name: "catalog.pages", reason: "the key 1 comes twice"),
        Mistake(right: #"given["query"] and"#, wrong: "", name: "catalog.empty", reason: "it finds 2 items"),
    ]

    @Test(.enabled(if: DocumentedPlugin.python.isRunnable, "there is no python3"), arguments: mistakes)
    func `each mistake is found`(_ mistake: Mistake) async throws {
        let right = try DocumentedPlugin.python.text()
        let text = right.replacing(mistake.right, with: mistake.wrong)
        #expect(text != right)
        let failed = failed(try await results(of: text, only: [mistake.name]))
        #expect(failed.keys.sorted() == [mistake.name])
        #expect(failed[mistake.name]?.contains(mistake.reason) == true, "\(failed)")
    }

    /// Prints before anybody asks.
    private struct EagerLink: PluginLink {
        func run(_ input: PluginInput, _ handlers: PluginHandlers) async -> PluginEnding {
            handlers.opened(nil)
            handlers.output([0x0A])
            await input.untilClosed()
            handlers.outputEnded()
            return .closed
        }
    }

    @Test func `who prints before it is greeted is found, whatever that is`() async throws {
        let greeting = PluginGreeting(version: "1", name: "eager")
        let candidate = ExamCandidate(isProgram: false, greeting: greeting) { EagerLink() }
        let quiet = try #require(PluginExam.cases.first { $0.name == "quiet" })
        await #expect(throws: ExamFailure.self) { try await quiet.check(candidate) }
    }

    @Test func `names are not used twice`() {
        #expect(Set(PluginExam.names).count == PluginExam.names.count)
    }
}
