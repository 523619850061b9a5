internal import SystemPackage

/// The output that other programs read.
enum StandardOutput {
    /// Writes a line at once, without any buffer.
    static func writeLine(_ line: String) {
        // Who closed our output does not want to know.
        _ = try? FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
    }
}
