import FoundationEssentials
import Glibc
import Subprocess
import Synchronization
import SystemPackage
import TestSupport

/// One process of a built program, with its output in files.
final class RunningProgram: Sendable {
    private struct State: Sendable {
        var process: pid_t?
        var ending: Ending?
        var failure: String?
    }

    let name: String
    /// What it says on standard output.
    let output: FilePath
    /// What it says on standard error, this run and the ones before.
    let log: FilePath
    private let state = Mutex(State())

    init(name: String, folder: FilePath) {
        self.name = name
        output = folder.appending("\(name).out")
        log = folder.appending("\(name).log")
    }

    /// Runs the program until it ends; to be called once.
    func run(_ program: BuiltProgram, _ arguments: [String], environment: [String: String], in folder: FilePath) async {
        do {
            let opened = try FileDescriptor.open(
                output, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
            let errors = try FileDescriptor.open(
                log, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
            let result = try await Subprocess.run(
                .path(program.path), arguments: Arguments(arguments),
                environment: .exactly(environment), workingDirectory: folder, input: .none,
                output: .fileDescriptor(opened, closeAfterSpawningProcess: true),
                error: .fileDescriptor(errors, closeAfterSpawningProcess: true)
            ) { execution in
                let process = execution.processIdentifier.value
                state.withLock { $0.process = process }
            }
            state.withLock { $0.ending = Ending(result.terminationStatus) }
        } catch {
            state.withLock { state in
                state.failure = "\(error)"
                state.ending = .exited(-1)
            }
        }
    }

    /// The process, while it runs.
    var process: Int32? { state.withLock { $0.ending == nil ? $0.process : nil } }

    /// How it ended; nil while it runs or has not begun.
    var ending: Ending? { state.withLock { $0.ending } }

    /// Waits until it has begun.
    func begun() async throws {
        try await eventually("the start of \(name)") { state.withLock { $0.process != nil || $0.ending != nil } }
    }

    /// Sends a signal; nothing happens where it has ended.
    func send(_ signal: Int32) {
        if let process { _ = Glibc.kill(process, signal) }
    }

    /// Waits for its end.
    func ended(within limit: Duration = .seconds(20)) async throws -> Ending {
        try await eventually("the end of \(name)", within: limit) { ending }
    }

    /// SIGKILL, and waits for the end.
    func kill() async throws {
        send(SIGKILL)
        _ = try await ended()
    }

    /// The last lines of its log.
    func lastLines(_ count: Int = 25) -> String {
        Site.text(of: log).split(separator: "\n").suffix(count).joined(separator: "\n")
    }
}
