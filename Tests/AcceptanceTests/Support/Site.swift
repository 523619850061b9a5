import AsyncHTTPClient
import FoundationEssentials
import Glibc
import Subprocess
import Synchronization
import SystemPackage
import TestSupport

/// A folder with hubs, nodes and proxies: what one acceptance test starts, and what ends with it.
final class Site: Sendable {
    typealias Job = @Sendable () async -> Void

    let folder: FilePath
    let http: HTTPClient
    private let jobs: AsyncStream<Job>.Continuation
    private let programs = Mutex<[RunningProgram]>([])

    init(folder: FilePath, http: HTTPClient, jobs: AsyncStream<Job>.Continuation) {
        self.folder = folder
        self.http = http
        self.jobs = jobs
    }

    /// The content of a file; empty where there is none.
    static func text(of path: FilePath) -> String {
        (try? Data(contentsOf: URL(filePath: path.string))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Runs something beside the test until the test ends; it is cancelled then.
    func add(_ job: @escaping Job) { jobs.yield(job) }

    /// Starts a built program with nothing of the tester's own surroundings.
    func start(
        _ program: BuiltProgram, _ arguments: [String], name: String, environment: [String: String] = [:],
        in folder: FilePath? = nil
    ) async throws -> RunningProgram {
        let place = folder ?? self.folder
        let running = RunningProgram(name: name, folder: place)
        programs.withLock { $0.append(running) }
        let surroundings = ["HOME": place.string, "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        add { await running.run(program, arguments, environment: surroundings, in: place) }
        try await running.begun()
        return running
    }

    /// Runs a built program to its end.
    func run(
        _ program: BuiltProgram, _ arguments: [String], environment: [String: String] = [:], in folder: FilePath? = nil,
        input: String = ""
    ) async throws -> ProgramResult {
        let place = folder ?? self.folder
        let surroundings = ["HOME": place.string, "PATH": "/usr/bin:/bin"].merging(environment) { $1 }
        return try await program.run(arguments, environment: surroundings, in: place, input: input)
    }

    /// Runs a script of the shell; `arguments` are its `$1`, `$2`, ….
    func shell(_ script: String, _ arguments: [String] = []) async throws -> ProgramResult {
        let result = try await Subprocess.run(
            .path("/bin/sh"), arguments: Arguments(["-c", script, "sh"] + arguments),
            environment: .exactly(["PATH": "/usr/bin:/bin"]), workingDirectory: folder, input: .none,
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        return ProgramResult(
            ending: Ending(result.terminationStatus), output: result.standardOutput, errors: result.standardError)
    }

    /// The ends of all logs, for a person who looks at a failure.
    func logs() -> String {
        let shown = programs.withLock { Dictionary($0.map { ($0.log, $0) }) { first, _ in first }.values }
        return shown.map { "--- \($0.name)\n\($0.lastLines())" }.joined(separator: "\n")
    }

    /// Ends what still runs, the youngest first.
    func end() async {
        for program in programs.withLock({ $0 }).reversed() where program.process != nil {
            program.send(SIGTERM)
            do { _ = try await program.ended(within: .seconds(15)) } catch { try? await program.kill() }
        }
    }
}

/// Lends a site to `body`; everything it started is ended, and its folder is removed. Where `body` throws, the ends of
/// the logs are printed.
func withSite(_ body: (Site) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    var configuration = HTTPClient.Configuration()
    // Each wait holds a stream open beside the requests.
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 100
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.redirectConfiguration = .disallow
    let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    let (jobs, queue) = AsyncStream<Site.Job>.makeStream()
    let site = Site(folder: FilePath(folder.path), http: http, jobs: queue)
    let outcome = await withTaskGroup(of: Void.self) { group in
        group.addTask {
            await withDiscardingTaskGroup { running in
                for await job in jobs { running.addTask { await job() } }
                running.cancelAll()
            }
        }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(site)) } catch { outcome = .failure(error) }
        await site.end()
        queue.finish()
        group.cancelAll()
        return outcome
    }
    try await http.shutdown()
    if case .failure(let error) = outcome {
        try? FileHandleOfErrors.write("\(error)\n\(site.logs())\n")
        throw error
    }
}

/// Standard error, for people who look at a failed test.
enum FileHandleOfErrors {
    static func write(_ text: String) throws { _ = try FileDescriptor.standardError.writeAll(text.utf8) }
}
