internal import ArgumentParser
internal import ControlAPI
internal import SystemPackage

/// Standard output, in the chosen form: text or JSON.
struct Output: Sendable {
    let json: Bool
    let style: Style
    private let descriptor: FileDescriptor

    /// - Parameter descriptor: where what was to be on standard output goes.
    init(json: Bool, style: Style = .standardOutput(), to descriptor: FileDescriptor = .standardOutput) {
        self.json = json
        self.style = style
        self.descriptor = descriptor
    }

    /// Shows an answer. Nothing is written for an answer without text.
    func show(_ answer: some Answer) throws {
        if json {
            try write(Array(try ControlJSON.text(answer.reply)) + [UInt8(ascii: "\n")])
        } else {
            try write(text: answer.text(style))
        }
    }

    /// Shows an answer that the exit code sums up.
    ///
    /// - Parameter exitCode: thrown where it is not 0, also where whoever reads our output has seen enough of the answer.
    func show(_ answer: some Answer, exitCode: Int32) throws {
        do { try show(answer) } catch Errno.brokenPipe where exitCode != 0 {}
        if exitCode != 0 { throw ExitCode(exitCode) }
    }

    /// Writes bytes as they are.
    func write(_ bytes: [UInt8]) throws { _ = try descriptor.writeAll(bytes) }

    /// Writes lines; nothing where there are none.
    func write(text: String) throws {
        if !text.isEmpty { try write(Array(text.utf8) + [UInt8(ascii: "\n")]) }
    }

    /// Writes a line as it is.
    func write(line: [UInt8]) throws { try write(line + [UInt8(ascii: "\n")]) }

    /// Clears the terminal, so that the next answer takes the place of the last one.
    func clear() throws {
        guard !json, style.isTerminal else { return }
        try write(Array("\u{1B}[H\u{1B}[2J".utf8))
    }

    /// Writes one line on standard error: what went wrong, as JSON where that was asked for.
    static func printError(_ failure: CommandFailure, json: Bool) {
        guard json, let text = try? ControlJSON.text(failure.reply) else { return note(failure.message) }
        _ = try? FileDescriptor.standardError.writeAll(Array(text) + [UInt8(ascii: "\n")])
    }

    /// Writes one line on standard error for people.
    static func note(_ message: String) {
        let line = "moviesync: \(Printable.text(message))\n"
        _ = try? FileDescriptor.standardError.writeAll(line.utf8)
    }
}
