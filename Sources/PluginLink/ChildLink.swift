package import PluginWire
internal import Subprocess
internal import SystemPackage

/// A plugin that is started as a program of its own, with pipes for input, output and standard error.
///
/// The program leads a session: whatever it starts is ended with it. At the end its input is closed; where it is still
/// there after 2 s it and all it started get SIGTERM, and 5 s later SIGKILL.
package struct ChildLink: PluginLink {
    private let program: FilePath
    private let arguments: [String]
    private let environment: [String: String]

    /// - Parameter program: an absolute path.
    package init(program: String, arguments: [String], environment: [String: String]) {
        self.program = FilePath(program)
        self.arguments = arguments
        self.environment = environment
    }

    package func run(_ input: PluginInput, _ handlers: PluginHandlers) async -> PluginEnding {
        do {
            let outcome = try await Subprocess.run(
                configuration, input: .inputWriter, output: .sequence, error: .sequence
            ) { execution in
                handlers.opened(execution.processIdentifier.value)
                await ChildLink.carry(execution, input, handlers)
            }
            switch outcome.terminationStatus {
            case .exited(let code): return .exited(Int(code))
            case .signaled(let signal): return .signaled(Int(signal))
            }
        } catch {
            handlers.outputEnded()
            return .unopened("\(program) \(ChildLink.words(error))")
        }
    }

    private var configuration: Configuration {
        var options = PlatformOptions()
        options.createSession = true
        options.teardownSequence = ChildLink.ending
        let variables = environment.map { (Environment.Key(stringLiteral: $0.key), $0.value) }
        return Configuration(
            executable: .path(program), arguments: Arguments(arguments),
            environment: .custom(Dictionary(variables) { first, _ in first }), workingDirectory: "/",
            platformOptions: options)
    }

    private static func carry(
        _ execution: Execution<CustomWriteInput, SequenceOutput, SequenceOutput>, _ input: PluginInput,
        _ handlers: PluginHandlers
    ) async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                // An error means the end, too: the program has gone.
                try? await each(execution.standardOutput, handlers.output)
                handlers.outputEnded()
            }
            group.addTask { try? await each(execution.standardError, handlers.log) }
            let writer = execution.standardInputWriter
            await input.forEach { (try? await writer.write($0)) == $0.count }
            try? await writer.finish()
            await execution.teardown(using: input.isPatient ? ending : Array(ending.dropFirst()))
            // What it started and left behind; its own process is not reaped yet, so the number is still its own.
            try? execution.send(signal: .kill, toProcessGroup: true)
            group.cancelAll()
        }
    }

    private static func each(
        _ output: SubprocessOutputSequence, _ handler: (ArraySlice<UInt8>) -> Void
    ) async throws {
        for try await piece in output { handler(piece.withUnsafeBytes { Array($0)[...] }) }
    }

    /// The first step only waits: signal 0 is none.
    private static let ending: [TeardownStep] = [
        .send(signal: Signal(rawValue: 0), allowedDurationToNextStep: .seconds(2)),
        .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(5)),
    ]

    private static func words(_ error: any Error) -> String {
        guard let error = error as? SubprocessError else { return "can't be run: \(error)" }
        if error.code == .executableNotFound { return "is not there, or is no program" }
        return "can't be run: \(error.underlyingError.map { "\($0)" } ?? "\(error)")"
    }
}
