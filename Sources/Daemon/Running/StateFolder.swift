internal import OperatingSystem
internal import SystemPackage

/// The folder of the state, held by this process alone.
struct StateFolder: Sendable {
    private let lock: FileLock

    /// Makes the folder where it is missing, and takes its lock.
    ///
    /// - Throws: `SystemError`; `isHeldElsewhere` where another daemon holds this state.
    init(_ path: FilePath) throws {
        try Folder.make(path.string, mode: 0o700)
        lock = try FileLock(path: path.appending("lock").string)
    }

    /// Lets another daemon take the state; a second call does nothing.
    func release() { lock.release() }
}
