internal import SystemPackage

/// The output that other programs read.
enum StandardOutput {
    /// Writes a line at once, without any buffer.
    static func writeLine(_ line: String) {
        // Who closed our output does not want to know.
        _ = try? FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
    }

    /// Writes what was asked for, as it is, at once.
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
