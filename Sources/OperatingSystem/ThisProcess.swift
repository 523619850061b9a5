internal import CLinux
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

/// A clock that never steps back and has no date.
package enum MonotonicClock {
    /// Microseconds since some fixed moment, the start of the machine.
    package static var microseconds: UInt64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1_000
    }
}

/// The machine this system was installed on.
package enum MachineID {
    /// The content of `/etc/machine-id`: 32 hexadecimal digits; nil where it is missing or not set yet.
    package static func current(path: String = "/etc/machine-id") -> String? {
        guard let bytes = try? ReadableFile(path: path).read(at: 0, count: 64) else { return nil }
        let text = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        return text.count == 32 && text.allSatisfy(\.isHexDigit) ? text : nil
    }
}

/// The memory of this process.
package enum Memory {
    /// Gives memory that the allocator keeps for later back to the system.
    package static func trim() { malloc_trim(0) }

    /// What is in RAM now, in bytes; 0 where the system does not say.
    package static var resident: UInt64 {
        guard let file = try? Descriptor.open("/proc/self/statm", O_RDONLY),
            let bytes = try? file.read(at: 0, count: 128, path: "/proc/self/statm")
        else { return 0 }
        let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").dropFirst().first.flatMap {
            UInt64($0)
        }
        return (pages ?? 0) * UInt64(sysconf(CInt(_SC_PAGESIZE)))
    }
}

/// The terminal that a descriptor may be.
package enum Terminal {
    /// True where the descriptor is a terminal.
    package static func isTerminal(_ descriptor: CInt) -> Bool { isatty(descriptor) == 1 }

    /// How many characters fit in a row; nil where the descriptor is no terminal or does not say.
    package static func columns(of descriptor: CInt = 1) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
