internal import OperatingSystem

/// What every long-running command sets up for its process.
enum ProcessSetup {
    /// Raises the limit of open descriptors, lets a write to a closed pipe fail instead of ending the process, and large
    /// pieces of memory go back to the system.
    static func prepare() {
        Memory.returnLargePieces()
        ThisProcess.ignoreClosedPipes()
        ThisProcess.raiseDescriptorLimit()
    }
}
