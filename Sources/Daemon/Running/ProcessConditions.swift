internal import Glibc
internal import OperatingSystem

/// What every long-running command sets up for its process.
enum ProcessConditions {
    /// Raises the limit of open descriptors, and lets a write to a closed pipe fail instead of ending the process.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        ThisProcess.raiseDescriptorLimit()
    }
}

/// The output that other programs read.
enum StandardOutput {
    /// Writes a line at once, without any buffer.
    static func writeLine(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}
