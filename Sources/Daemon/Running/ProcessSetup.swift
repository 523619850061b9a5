internal import OperatingSystem

/// What every long-running command sets up for its process.
enum ProcessSetup {
    /// Raises the limit of open descriptors, lets a write to a closed pipe fail instead of ending the process, and keeps
    /// little memory that nobody uses.
    static func prepare() {
        Memory.returnLargePieces()
        Memory.sharePools()
        ThisProcess.ignoreClosedPipes()
        ThisProcess.raiseDescriptorLimit()
    }
}
