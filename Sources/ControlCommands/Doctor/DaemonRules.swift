internal import ControlAPI

/// What the words of the daemon, and of the program that reads its configuration, mean.
enum DaemonRules {
    static func configuration(_ places: ConfiguredPlaces?) -> [Finding] {
        guard let places else {
            return [Finding("configuration", .unknown, "moviesyncd, which reads the configuration, can't be run")]
        }
        let file = places.file ?? "built-in defaults, as there is no file"
        var findings = places.problems.map {
            Finding("configuration", .error, $0, fix: "correct it; moviesyncd check-config says all that is wrong")
        }
        findings += places.warnings.map {
            Finding("configuration", .warning, $0, fix: "correct or unset the variable")
        }
        return findings.isEmpty ? [.ok("configuration", file)] : findings
    }

    static func socket(_ path: String, _ status: Result<StatusSnapshot, CommandFailure>) -> Finding {
        switch status {
        case .success(let status) where status.version != MoviesyncVersion.current:
            return Finding(
                "daemon", .warning, "the daemon is \(status.version), this tool \(MoviesyncVersion.current)",
                fix: "restart the daemon: systemctl restart moviesyncd")
        case .success(let status): return .ok("daemon", "\(status.version) answers at \(path), pid \(status.pid)")
        case .failure(let failure) where failure.code == .notAllowed:
            return Finding("daemon", .error, failure.message, fix: "sudo usermod --append --groups moviesync $USER")
        case .failure(let failure) where failure.isSilence:
            return Finding(
                "daemon", .error, failure.message,
                fix: "journalctl -u moviesyncd, then systemctl restart moviesyncd")
        case .failure(let failure):
            return Finding("daemon", .error, failure.message, fix: "systemctl start moviesyncd, or run moviesyncd")
        }
    }

    /// What only a daemon that answers could say.
    static func unchecked(_ failure: CommandFailure) -> [Finding] {
        let (state, verb) =
            failure.isSilence ? ("the daemon does not answer", "restart") : ("no daemon answers", "start")
        return ["serverClock", "rules", "health", "nodes"].map {
            Finding($0, .unknown, "not checked: \(state)", fix: "\(verb) the daemon and ask again")
        }
    }

    /// What the daemon itself complains of.
    static func health(_ health: HealthReport) -> [Finding] {
        guard health.level != .ok else { return [.ok("health", "ok")] }
        let level: Finding.Level = health.level == .critical ? .error : .warning
        return health.reasons.map { Finding("health", level, $0, fix: fix(of: $0)) }
    }

    private static func fix(of reason: String) -> String {
        let words = reason.split(separator: " ", omittingEmptySubsequences: false)
        guard let see = words.indices.dropLast().first(where: { words[$0] == "see" && words[$0 + 1] == "moviesync" })
        else { return "moviesync status shows more" }
        return words[(see + 1)...].joined(separator: " ")
    }

    static func remote(_ remote: RemoteStatus, paused: [String]) -> Finding {
        let place = "\(remote.plugin) \(remote.url)"
        switch remote.stream {
        case .live: return .ok("remote", "\(place): the event stream is live")
        case .connecting, .snapshot, .down:
            if paused.contains("pull") { return Finding("remote", .unknown, "\(place): pull is paused") }
            let reason = remote.lastError.map { ": \($0)" } ?? ""
            return Finding(
                "remote", remote.stream == .down ? .error : .warning,
                "\(place): the event stream is \(remote.stream.rawValue)\(reason)",
                fix: "moviesyncd check-config --probe tries it with the configured credential")
        }
    }

    /// What `moviesyncd check-config --probe` said, where no daemon could be asked.
    static func probe(_ outcome: (code: Int32, words: String)?) -> Finding {
        guard let outcome else { return Finding("remote", .unknown, "the remote could not be tried without a daemon") }
        guard outcome.code != 0 else { return .ok("remote", outcome.words) }
        return Finding("remote", .error, outcome.words, fix: "see remote.url, remote.credentialFile and the network")
    }

    /// Nodes of other versions, and those that declare collections otherwise.
    static func nodes(_ nodes: [NodeReply]) -> [Finding] {
        var findings: [Finding] = []
        let others = nodes.filter { !$0.isThis && $0.version != MoviesyncVersion.current }
        if !others.isEmpty {
            let names = others.map { "\($0.name) (\($0.version))" }.joined(separator: ", ")
            findings.append(
                Finding(
                    "nodes", .warning, "not all nodes are \(MoviesyncVersion.current): \(names)", fix: "upgrade them"))
        }
        for node in nodes {
            for (collection, progress) in node.collections.sorted(by: { $0.key < $1.key })
            where progress.isDeclaredOtherwise == true {
                findings.append(
                    Finding(
                        "nodes", .warning, "\(node.name) declares \(collection) otherwise",
                        fix: "give all nodes the same collections.d/\(collection).json"))
            }
        }
        return findings.isEmpty ? [.ok("nodes", "\(Formatted.count(nodes.count, "node")), all alike")] : findings
    }
}
