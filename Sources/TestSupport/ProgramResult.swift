/// What a program that was run to its end left behind.
package struct ProgramResult: Sendable {
    package var ending: Ending
    package var output: String
    package var errors: String

    package init(ending: Ending, output: String, errors: String) {
        self.ending = ending
        self.output = output
        self.errors = errors
    }

    /// The exit code; nil where a signal ended it.
    package var code: Int? { if case .exited(let code) = ending { code } else { nil } }

    /// Standard output without white space at its ends.
    package var line: String { output.split(whereSeparator: \.isNewline).joined(separator: "\n") }
}
