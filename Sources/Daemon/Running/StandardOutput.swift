internal import SystemPackage

/// The output that other programs read.
enum StandardOutput {
    /// Writes a line, as ``write(_:)``.
    static func writeLine(_ line: String) throws(CommandFailure) { try write(line + "\n") }

    /// Writes what was asked for, as it is, at once and without any buffer.
    ///
    /// - Throws: where it can't be written: then nothing was answered.
    static func write(_ text: String) throws(CommandFailure) {
        do {
            try FileDescriptor.standardOutput.writeAll(text.utf8)
        } catch {
            throw CommandFailure(.inputOutput, "the output can't be written: \(error)")
        }
    }
}
