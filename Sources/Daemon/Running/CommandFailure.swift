internal import ArgumentParser
internal import DatabaseServer
internal import LocalStore
internal import Logging
internal import OperatingSystem
internal import PluginKit
internal import SyncModel

/// Why the process ends: an exit code, and lines for standard error that say what, where and what to do.
///
/// No line holds a line break.
struct CommandFailure: Error, CustomStringConvertible {
    var code: ExitCode
    var lines: [String]

    init(_ code: ExitCode, _ message: String) {
        self.code = code
        lines = [Self.program + String(message.map { $0.isNewline ? " " : $0 })]
    }

    private static let program = "moviesyncd: "

    /// The first line, without the name of the program.
    var message: String {
        let line = lines.first ?? ""
        return line.hasPrefix(Self.program) ? String(line.dropFirst(Self.program.count)) : line
    }

    /// Problems of the configuration stand there as `file:line:column: message`, one a line.
    init(_ rejected: SettingsRejected) {
        code = .configuration
        lines = rejected.problems.map(\.description)
    }

    /// The one table from errors to exit codes.
    init(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let rejected as SettingsRejected: self.init(rejected)
        case let duplicate as DuplicatePlugin: self.init(.software, duplicate.description)
        case let system as SystemError: self.init(Self.code(of: system), system.description)
        case let store as StoreError: self.init(Self.code(of: store), store.message)
        case let settings as RemoteSettingsError: self.init(.configuration, settings.description)
        case let key as OtherKey: self.init(.configuration, key.description)
        case let server as ServerError: self.init(Self.code(of: server), server.message)
        case let remote as RemoteError: self.init(Self.code(of: remote), remote.description)
        default: self.init(.software, "\(error)")
        }
    }

    /// Writes the failure to the log, a line an entry.
    func log(by logger: Logger) {
        let event = code == .corruptState ? "state.corrupt" : "daemon.failed"
        for line in lines {
            let error = line.hasPrefix(Self.program) ? String(line.dropFirst(Self.program.count)) : line
            logger.critical("The daemon has failed", metadata: ["event": "\(event)", "error": "\(error)"])
        }
    }

    /// Writes the failure to the log; what is left is the exit code.
    func logged(by logger: Logger) -> ExitCode {
        log(by: logger)
        return code
    }

    var description: String { lines.joined(separator: "\n") }

    private static func code(of error: SystemError) -> ExitCode {
        if error.isHeldElsewhere || error.isAddressInUse { return .heldElsewhere }
        if error.isPermission { return .permission }
        return error.isInputOutput ? .inputOutput : .cannotCreate
    }

    private static func code(of error: StoreError) -> ExitCode {
        switch error.code {
        case .corrupt: .corruptState
        case .newer: .configuration
        case .inUse: .heldElsewhere
        case .permission: .permission
        case .inputOutput, .diskFull: .inputOutput
        default: .cannotCreate
        }
    }

    private static func code(of error: ServerError) -> ExitCode {
        switch error.code {
        case .inUse: .heldElsewhere
        case .corrupt: .corruptState
        case .inputOutput: .inputOutput
        case .permission: .permission
        case .newerVersion, .invalidRules, .invalidKeys, .invalidSecret, .invalidTLS: .configuration
        default: .cannotCreate
        }
    }

    private static func code(of error: RemoteError) -> ExitCode {
        switch error.code {
        case .unauthorized, .denied: .permission
        default: .unavailable
        }
    }
}
