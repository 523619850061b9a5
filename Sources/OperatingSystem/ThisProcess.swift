internal import Glibc

/// Facts about this process and its machine.
package enum ThisProcess {
    package static var id: Int32 { getpid() }

    /// The effective user id.
    package static var user: UInt32 { geteuid() }

    package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Lets a write to a closed pipe or connection fail instead of ending the process.
    package static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Raises the soft limit of open descriptors to the hard one, and returns the limit that holds now.
    @discardableResult
    package static func raiseDescriptorLimit() -> UInt64 {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 0 }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        let raised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return UInt64(raised ? limit.rlim_cur : before)
    }
}
