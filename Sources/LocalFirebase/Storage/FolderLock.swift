internal import Glibc
internal import Synchronization

/// Holds a folder for one server, until the process ends or this goes away.
///
/// The lock is the kernel's (`flock`), so nothing is left behind by a crash.
final class FolderLock: Sendable {
    private let descriptor: Mutex<CInt?>

    /// Throws `inUse` where another server holds the folder, `cannotCreate` where the lock file can't be made.
    init(folder: String) throws {
        let path = folder + "/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw LocalFirebaseError(.cannotCreate, "can't open \(path): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let reason = errno
            close(descriptor)
            if reason == EWOULDBLOCK {
                throw LocalFirebaseError(.inUse, "another server holds \(folder): stop it, or choose another folder")
            }
            throw LocalFirebaseError(.cannotCreate, "can't lock \(path): \(String(cString: strerror(reason)))")
        }
        self.descriptor = Mutex(descriptor)
    }

    deinit { release() }

    /// Lets another server have the folder. A second call does nothing.
    func release() {
        descriptor.withLock { descriptor in
            if let descriptor { close(descriptor) }
            descriptor = nil
        }
    }
}

/// Lets this process open as many files and connections as it is allowed to.
func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
}

/// Makes the folder at `path` with mode 0700, its parents too. Nothing happens where it is there.
func makeFolder(_ path: String) throws {
    var built = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
        built += "/" + part
        if mkdir(built, 0o700) != 0, errno != EEXIST {
            throw LocalFirebaseError(.cannotCreate, "can't make \(built): \(String(cString: strerror(errno)))")
        }
    }
}
