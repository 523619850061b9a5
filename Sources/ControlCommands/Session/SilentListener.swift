internal import OperatingSystem
internal import Subprocess

/// Who takes connections at a control socket, and says nothing.
enum SilentListener: Equatable {
    /// A daemon that hangs; its process, where that is known.
    case daemon(Int32?)
    /// The service manager, for a daemon that is starting or stopping: it answers later.
    case manager

    /// Who it is at `socket` now.
    static func at(_ socket: String) async -> SilentListener {
        let process = PeerCredentials.listening(at: socket)?.process
        guard let process, isManager(process) else { return .daemon(process) }
        let user = process == 1 ? [] : ["--user"]
        let answer = try? await Subprocess.run(
            .name("systemctl"),
            arguments: Arguments(user + ["show", "--property=ActiveState,MainPID", "moviesyncd.service"]),
            input: .none, output: .string(limit: 1 << 16), error: .discarded)
        return SilentListener(unit: answer?.standardOutput ?? "")
    }

    /// By what `systemctl show` says of the daemon's unit.
    init(unit text: String) {
        let lines = text.split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
        let values = Dictionary(lines.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }) { first, _ in first }
        switch values["ActiveState"] {
        case "active", "reloading", "refreshing": self = .daemon(values["MainPID"].flatMap { Int32($0) })
        default: self = .manager
        }
    }

    private static func isManager(_ process: Int32) -> Bool {
        guard let name = OtherProcess.name(process) else { return process == 1 }
        return name == "systemd"
    }
}
