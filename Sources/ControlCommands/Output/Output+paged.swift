internal import OperatingSystem
internal import Subprocess
internal import SystemPackage

extension Output {
    /// Runs `body` with an output that is shown page by page, on a terminal; with this one anywhere else.
    ///
    /// `$PAGER` says what shows it, as with git: `less`, which ends by itself after what fits on one screen, without it;
    /// nothing where it is empty or `cat`.
    func paged(_ body: (Output) async throws -> Void) async throws {
        guard style.isTerminal, let command = Pager.command(ThisProcess.environment("PAGER")),
            let pipe = try? Pipe()
        else { return try await body(self) }
        let (input, output) = (FileDescriptor(rawValue: pipe.readEnd), FileDescriptor(rawValue: pipe.writeEnd))
        try await withThrowingTaskGroup { group in
            group.addTask {
                _ = try? await Subprocess.run(
                    .path("/bin/sh"), arguments: ["-c", Pager.script(command)], environment: Pager.environment,
                    input: .fileDescriptor(input, closeAfterSpawningProcess: true),
                    output: .fileDescriptor(.standardOutput, closeAfterSpawningProcess: false),
                    error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false))
            }
            // The pager hears of it, and decides.
            ThisProcess.ignoreInterrupts()
            let result: Result<Void, any Error>
            do {
                result = .success(try await body(Output(json: json, style: style, to: output)))
            } catch {
                result = .failure(error)
            }
            try? output.close()
            try await group.waitForAll()
            try result.get()
        }
    }
}

/// What shows long output on a terminal.
enum Pager {
    /// The command for the shell; nil for none.
    static func command(_ chosen: String?) -> String? {
        guard let chosen else { return "if command -v less >/dev/null 2>&1; then exec less; else exec cat; fi" }
        return chosen.isEmpty || chosen == "cat" ? nil : chosen
    }

    /// Shows by `cat` what a command that can't be run does not.
    static func script(_ command: String) -> String {
        "trap : INT; \(command)\ncode=$?; if [ $code = 126 ] || [ $code = 127 ]; then exec cat; fi; exit $code"
    }

    /// Colours pass, and what fits on one screen is not kept there; a person's own wishes count.
    static var environment: Environment {
        .inherit.updating(ThisProcess.environment("LESS") == nil ? ["LESS": "FRX"] : [:])
    }
}
