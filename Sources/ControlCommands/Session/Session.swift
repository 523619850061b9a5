internal import ControlAPI

/// What a running command works with.
struct Session: Sendable {
    let client: ControlClient
    let output: Output
    /// Where the daemon has its files, for when it does not answer.
    let paths: DefaultPaths
}
