internal import ArgumentParser

/// The exit codes that scripts and units rely on (sysexits).
extension ExitCode {
    /// The command line is wrong.
    static let usage = ExitCode(64)
    /// The state is corrupt.
    static let corruptState = ExitCode(65)
    /// A file that was handed over is wrong.
    static let dataError = ExitCode(65)
    /// The remote can't be reached (`check-config --probe`, `export`, `import`).
    static let unavailable = ExitCode(69)
    /// Something went wrong that has no code of its own.
    static let software = ExitCode(70)
    /// A file, folder or socket can't be made.
    static let cannotCreate = ExitCode(73)
    /// Reading or writing failed.
    static let inputOutput = ExitCode(74)
    /// Another daemon holds this state, or this socket.
    static let heldElsewhere = ExitCode(75)
    /// The permission is missing.
    static let permission = ExitCode(77)
    /// The configuration is wrong, or the state is of a newer version.
    static let configuration = ExitCode(78)
}
