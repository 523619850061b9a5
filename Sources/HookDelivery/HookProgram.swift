internal import HookRules
internal import Logging
internal import PluginLink
internal import PluginWire
internal import Subprocess
internal import SyncModel
internal import Synchronization
internal import SystemPackage

/// Tells a program of one event: JSON on standard input, the main words in the environment, the answer as exit code.
struct HookProgram: Sendable {
    let path: String
    let name: String
    let context: HookContext

    /// The exit codes of sysexits that mean something: the event itself is wrong.
    private static let dataError = 65

    func run(_ event: HookEvent) async -> HookOutcome {
        do {
            // Looked at each time: somebody may have changed it since.
            _ = try PluginProgram(path, searchPath: "")
            let start = ContinuousClock.now
            let outcome = try await Subprocess.run(
                configuration(event), input: .inputWriter, output: .discarded, error: .sequence
            ) { execution in await carry(execution, event) }
            if start.duration(to: .now) >= context.limit {
                return .failed("it took longer than \(context.limit.components.seconds) s, and was ended")
            }
            switch outcome.terminationStatus {
            case .exited(0): return .taken
            case .exited(let code) where code == HookProgram.dataError:
                return .refused("it refuses the event (exit code 65)")
            case .exited(let code): return .failed("it ended with exit code \(code)")
            case .signaled(let signal): return .failed("it was ended by signal \(signal)")
            }
        } catch {
            return .failed("it can't be run: \(error)".oneLine)
        }
    }

    private func configuration(_ event: HookEvent) -> Configuration {
        var variables = PluginSurroundings.variables(for: name).merging(context.variables) { _, own in own }
        variables["MOVIESYNC_EVENT"] = event.word
        variables["MOVIESYNC_SEQ"] = String(event.sequence)
        variables["MOVIESYNC_COLLECTION"] = event.collection
        variables["MOVIESYNC_ID"] = event.record
        variables["MOVIESYNC_ORIGIN"] = event.origin
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = HookProgram.ending
        return Configuration(
            executable: .path(FilePath(path)), arguments: [],
            environment: .custom(
                Dictionary(variables.map { (Environment.Key(stringLiteral: $0.key), $0.value) }) { first, _ in first }),
            workingDirectory: "/", platformOptions: options)
    }

    private static let ending: [TeardownStep] = [
        .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(2))
    ]

    /// Returns when the program has ended; one that takes too long is ended, with all that it started.
    private func carry(
        _ execution: Execution<CustomWriteInput, DiscardedOutput, SequenceOutput>, _ event: HookEvent
    ) async {
        var logger = context.logger
        logger[metadataKey: "hook"] = "\(name)"
        await withDiscardingTaskGroup { [logger] group in
            group.addTask {
                // A program need not read what it is told.
                _ = try? await execution.standardInputWriter.write(event.text + [0x0A])
                try? await execution.standardInputWriter.finish()
            }
            group.addTask { await HookProgram.log(execution.standardError, logger) }
            // The first step only waits: signal 0 is none.
            let patience = TeardownStep.send(signal: Signal(rawValue: 0), allowedDurationToNextStep: context.limit)
            await execution.teardown(using: [patience] + HookProgram.ending)
            // What it started and left behind; its own process is not reaped yet, so the number is still its own.
            try? execution.send(signal: .kill, toProcessGroup: true)
            group.cancelAll()
        }
    }

    private static func log(_ output: SubprocessOutputSequence, _ logger: Logger) async {
        let start = ContinuousClock.now
        var log = PluginLog()
        func write(_ lines: [PluginLog.Line]) {
            for line in lines {
                logger.log(
                    level: line.level.level, "A hook says", metadata: ["event": "hook.log", "text": "\(line.text)"])
            }
        }
        func now() -> UInt64 { UInt64(start.duration(to: .now) / .milliseconds(1)) }
        do {
            for try await piece in output { write(log.read(piece.withUnsafeBytes { Array($0)[...] }, at: now())) }
        } catch {}
        write(log.finish(at: now()))
    }
}

extension PluginLog.Level {
    fileprivate var level: Logger.Level {
        switch self {
        case .emergency, .alert, .critical: .critical
        case .error: .error
        case .warning: .warning
        case .notice: .notice
        case .info: .info
        case .debug: .debug
        }
    }
}
