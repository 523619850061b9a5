internal import ArgumentParser
internal import Systemd

extension AsyncParsableCommand {
    /// Runs `body`; what it throws becomes lines on standard error and the exit code that goes with it.
    func reportingFailure(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let exit as ExitCode {
            throw exit
        } catch {
            let failure = CommandFailure(error)
            for line in failure.lines { StandardError.writeLine(line) }
            throw failure.code
        }
    }
}
