internal import OperatingSystem

/// What the facts about this machine mean.
enum MachineRules {
    /// The kernel's word on its clock.
    static func clock(_ clock: KernelClock?) -> Finding {
        guard let clock else {
            return Finding("clock", .unknown, "the kernel does not say whether its clock is synchronized")
        }
        guard clock.isSynchronized else {
            return Finding(
                "clock", .warning, "nothing synchronizes this machine's clock",
                fix: "timedatectl set-ntp true, or run chrony")
        }
        return .ok("clock", "synchronized, off by \(max(1, clock.errorMicroseconds / 1_000)) ms at most")
    }

    /// This machine's clock beside the server's.
    ///
    /// - Parameter maxAhead: `clock.maxAhead` in milliseconds; 60 s where nobody says.
    static func serverClock(offset milliseconds: Int64, maxAhead: Int64?) -> Finding {
        let size = Int64(milliseconds.magnitude)
        let words = size < 1_000 ? "less than a second" : Formatted.span(seconds: Double(size) / 1_000)
        let message = "this machine's clock and the server's differ by \(words)"
        let fix = "set this machine's clock: timedatectl set-ntp true"
        if size > maxAhead ?? 60_000 { return Finding("serverClock", .error, message, fix: fix) }
        if size > 5_000 { return Finding("serverClock", .warning, message, fix: fix) }
        return .ok("serverClock", message)
    }

    /// How much room a folder has.
    static func disk(_ folder: String, _ room: DiskRoom) -> Finding {
        let free = "\(Formatted.bytes(room.freeBytes)) free (\(room.freePercent) %) at \(folder)"
        let fix = "make room there: nothing can be stored on a full disk"
        if room.freeBytes < 20 << 20 || room.freeFiles == 0 {
            return Finding("disk", .error, room.freeFiles == 0 ? "no file can be made at \(folder)" : free, fix: fix)
        }
        if room.freeBytes < 500 << 20 || room.freePercent < 3 { return Finding("disk", .warning, free, fix: fix) }
        return .ok("disk", free)
    }

    /// How many folders may be watched; the journal has to be.
    static func watches(instances: Int?, watches: Int?) -> Finding {
        guard let instances, let watches else {
            return Finding("inotify", .unknown, "the kernel does not say how many folders may be watched")
        }
        let message = "\(Formatted.count(instances)) instances, \(Formatted.count(watches)) watches for each user"
        guard instances >= 16, watches >= 1_024 else {
            return Finding(
                "inotify", .warning, message,
                fix: "sysctl fs.inotify.max_user_instances=128 fs.inotify.max_user_watches=65536")
        }
        return .ok("inotify", message)
    }

    /// Who may do what with a file.
    static func journal(_ path: String, _ file: FileIdentity?, problem: SystemError?) -> Finding {
        if let problem {
            let fix =
                problem.isDiskFull
                ? "make room on its disk"
                : problem.isInputOutput
                    ? "look at its disk, and how it is mounted" : "join the group moviesync, or correct owner and mode"
            return Finding("journal", .error, "\(problem)", fix: fix)
        }
        guard let file else { return .ok("journal", "\(path) is not there yet; the first line makes it") }
        guard file.mode & 0o002 == 0 else {
            return Finding("journal", .warning, "everybody may write to \(path)", fix: "chmod o-w \(path)")
        }
        return .ok("journal", "\(path) can be appended to (mode \(String(file.mode & 0o777, radix: 8)))")
    }

    /// The daemon that answers is not the one whose configuration names this folder.
    static func stateOfAnother(than path: String) -> Finding {
        Finding(
            "state", .unknown,
            "not looked at: the daemon that answers has another journal than the configuration with \(path); name its "
                + "configuration with --config, or restart it where that is the one that has changed")
    }

    /// - Parameters:
    ///   - refusal: why this process can't write there; nil where it can.
    ///   - user: who it is. What others can do there is not known.
    static func state(
        _ path: String, _ looked: Result<FileIdentity, SystemError>, _ refusal: SystemError? = nil, user: UInt32 = 0,
        isDaemonUp: Bool
    ) -> Finding {
        let folder: FileIdentity
        switch looked {
        case .success(let found): folder = found
        case .failure(let error) where !error.isMissing:
            return Finding("state", .unknown, "\(path) can't be looked at by you")
        case .failure:
            guard isDaemonUp else { return .ok("state", "\(path) is not there yet; the daemon makes it") }
            return Finding(
                "state", .error, "\(path) does not exist, though a daemon runs: what that writes is lost at its end",
                fix: "restart moviesyncd, which makes it anew, or restore a backup")
        }
        guard folder.kind == .folder else {
            return Finding("state", .error, "\(path) is no folder", fix: "move it away, or set state")
        }
        guard folder.mode & 0o002 == 0 else {
            return Finding("state", .error, "everybody may write to \(path)", fix: "chmod o-w \(path)")
        }
        if refusal?.isReadOnly == true {
            return Finding("state", .error, "\(path) is on a file system that is read-only", fix: "mount it read-write")
        }
        if refusal != nil, folder.owner == user {
            return Finding("state", .error, "\(path) is yours, and you can't write there", fix: "chmod u+rwx \(path)")
        }
        return .ok("state", "\(path) (mode \(String(folder.mode & 0o777, radix: 8)))")
    }
}
