internal import OperatingSystem

/// What every long-running command sets up for its process.
enum ProcessSetup {
    /// Raises the limit of open descriptors, and lets a write to a closed pipe fail instead of ending the process.
    static func prepare() {
        ThisProcess.ignoreClosedPipes()
        ThisProcess.raiseDescriptorLimit()
    }
}
