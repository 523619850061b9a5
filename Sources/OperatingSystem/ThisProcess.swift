internal import Glibc

/// Facts about this process and its machine.
package enum ThisProcess {
    package static var id: Int32 { getpid() }

    /// The effective user id.
    package static var user: UInt32 { geteuid() }

    package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// The place of the first argument that is not UTF-8, from 1 on; nil where all are text.
    package static var argumentThatIsNoText: Int? {
        (1..<max(1, Int(CommandLine.argc))).first { place in
            CommandLine.unsafeArgv[place].map { String(validatingCString: $0) == nil } ?? false
        }
    }

    /// The language of messages, as a tag such as `de-AT`; `en` where none is set.
    package static var language: String {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? ""
        let tag = locale.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-")
        return tag.isEmpty || tag == "C" || tag == "POSIX" ? "en" : String(tag)
    }

    /// Lets a write to a closed pipe or connection fail instead of ending the process.
    package static func ignoreClosedPipes() { signal(SIGPIPE, SIG_IGN) }

    /// Lets SIGHUP pass without effect, until somebody waits for it.
    ///
    /// - Returns: makes it as it was before: whoever started the process may have said that it passes (nohup).
    package static func ignoreHangups() -> () -> Void {
        let before = signal(SIGHUP, SIG_IGN)
        return { signal(SIGHUP, before) }
    }

    /// Lets SIGTERM and SIGINT end the process at once with exit code 0, until somebody waits for them: for as long as there
    /// is nothing to be finished.
    package static func endWhenTold() {
        for number in [SIGTERM, SIGINT] { signal(number) { _ in _exit(0) } }
    }

    /// Leaves it to others what Ctrl-C ends.
    package static func ignoreInterrupts() { signal(SIGINT, SIG_IGN) }

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
