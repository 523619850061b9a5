import Foundation
import Glibc
import Subprocess
import Synchronization
import SystemPackage
import TestSupport

/// One process of a built program: what it says line by line, and how it ends.
final class RunningProgram: Sendable {
    private struct State: Sendable {
        var process: pid_t?
        var ending: Ending?
        var output: [String] = []
        var said: [String] = []
    }

    let name: String
    /// What it says on standard error, this run and the ones before.
    let log: FilePath
    /// Rings when it begins, when it ends, and after each line it says.
    let bell = Bell()
    private let state = Mutex(State())

    init(name: String, folder: FilePath) {
        self.name = name
        log = folder.appending("\(name).log")
    }

    /// Runs the program until it ends; to be called once.
    func run(_ program: BuiltProgram, _ arguments: [String], environment: [String: String], in folder: FilePath) async {
        do {
            let errors = try FileDescriptor.open(
                log, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
            defer { try? errors.close() }
            let result = try await Subprocess.run(
                .path(program.path), arguments: Arguments(arguments), environment: .exactly(environment),
                workingDirectory: folder, input: .none, output: .sequence, error: .sequence
            ) { execution in
                change { $0.process = execution.processIdentifier.value }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        for try await line in execution.standardOutput.strings(bufferingPolicy: .unbounded) {
                            self.change { $0.output.append(line) }
                        }
                    }
                    for try await line in execution.standardError.strings(bufferingPolicy: .unbounded) {
                        _ = try errors.writeAll("\(line)\n".utf8)
                        change { $0.said.append(line) }
                    }
                    try await group.waitForAll()
                }
            }
            change { $0.ending = Ending(result.terminationStatus) }
        } catch {
            change { $0.ending = .exited(-1) }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        bell.ring()
    }

    /// The process, while it runs.
    var process: Int32? { state.withLock { $0.ending == nil ? $0.process : nil } }

    /// How it ended; nil while it runs or has not begun.
    var ending: Ending? { state.withLock { $0.ending } }

    /// The lines on standard output so far.
    var output: [String] { state.withLock { $0.output } }

    /// The lines on standard error so far, of this run.
    var said: [String] { state.withLock { $0.said } }

    /// Waits until it has begun.
    func begun() async throws {
        try await until("the start of \(name)", hearing: [bell]) {
            self.state.withLock { $0.process != nil || $0.ending != nil } ? () : nil
        }
    }

    /// Waits until it logs an event with this word.
    ///
    /// - Throws: ``TooLate`` at once where it ends without having said so.
    func logged(_ event: String) async throws {
        try await until("\(event) of \(name)", hearing: [bell], detail: { self.lastLines() }) {
            if self.said.contains(where: { $0.contains("\"\(event)\"") }) { return () }
            if let ending = self.ending { throw TooLate("\(self.name) ended: \(ending)\n\(self.lastLines())") }
            return nil
        }
    }

    /// Sends a signal; nothing happens where it has ended.
    func send(_ signal: Int32) {
        if let process { _ = Glibc.kill(process, signal) }
    }

    /// Waits for its end.
    func ended(within limit: Duration = .seconds(20)) async throws -> Ending {
        try await until("the end of \(name)", within: limit, hearing: [bell]) { self.ending }
    }

    /// SIGKILL, and waits for the end.
    func kill() async throws {
        send(SIGKILL)
        _ = try await ended()
    }

    /// The last lines of its log; where it has crashed, those before that, and where it was.
    func lastLines(_ count: Int = 25) -> String {
        let lines = Site.text(of: log).split(separator: "\n")
        guard let crash = lines.firstIndex(where: { $0.hasPrefix("*** ") }) else {
            return lines.suffix(count).joined(separator: "\n")
        }
        return lines[max(0, crash - count)...].prefix(10 * count).joined(separator: "\n")
    }
}
