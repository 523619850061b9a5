internal import OperatingSystem
internal import SystemPackage

/// What every long-running command sets up for its process.
enum ProcessConditions {
    /// Raises the limit of open descriptors, and lets a write to a closed pipe fail instead of ending the process.
    static func prepare() {
        ThisProcess.ignoreClosedPipes()
        ThisProcess.raiseDescriptorLimit()
    }
}

/// The output that other programs read.
enum StandardOutput {
    /// Writes a line at once, without any buffer.
    static func writeLine(_ line: String) {
        // Who closed our output does not want to know.
        _ = try? FileDescriptor.standardOutput.writeAll((line + "\n").utf8)
    }
}
