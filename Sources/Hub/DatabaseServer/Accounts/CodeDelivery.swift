internal import Accounts
internal import JSONText
internal import Logging
internal import OperatingSystem
internal import Subprocess
internal import SyncModel
internal import Synchronization
internal import SystemPackage

/// Hands codes on: to a program, or at an emulator to the log.
final class CodeDelivery: Sendable {
    /// So many wait for the program; of more the oldest ones are dropped.
    private static let queue = 1000
    /// A program that takes longer is ended, for others wait.
    private static let patience: Duration = .seconds(30)
    /// So many an emulator can show.
    private static let shown = 1000

    private let command: String?
    private let logger: Logger
    private let stream: AsyncStream<IssuedCode>
    private let waiting: AsyncStream<IssuedCode>.Continuation
    /// What was sent, for whoever asks an emulator; nil where nobody may.
    private let kept: Mutex<[IssuedCode]>?

    init(command: String?, keepsSent: Bool, logger: Logger) {
        self.command = command
        self.logger = logger
        (stream, waiting) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(CodeDelivery.queue))
        kept = keepsSent ? Mutex([]) : nil
    }

    /// What was sent and may be shown.
    var sent: [IssuedCode] { kept?.withLock(\.self) ?? [] }

    /// Takes the code over; the program is run by ``run()``, one after another.
    func send(_ code: IssuedCode) {
        kept?.withLock { kept in
            if kept.count >= CodeDelivery.shown { kept.removeFirst() }
            kept.append(code)
        }
        guard command == nil else {
            waiting.yield(code)
            return
        }
        var metadata: Logger.Metadata = [
            "event": "account.code", "request": "\(code.request.rawValue)", "email": "\(code.email)",
        ]
        // Whoever has the code has the account: only an emulator, which protects none, may show it.
        let showsCodes = kept != nil
        if showsCodes {
            metadata["code"] = "\(code.code)"
            metadata["link"] = "\(code.link)"
        }
        logger.notice("\(showsCodes ? "A code for an address" : CodeDelivery.advice)", metadata: metadata)
    }

    private static let advice = """
        A code for an address went nowhere: give --codes-to PROGRAM (local.codesTo), or get a link as an administrator, by \
        accounts:sendOobCode with returnOobLink
        """

    /// Forgets what was sent.
    func clear() { kept?.withLock { $0 = [] } }

    /// Runs until it is cancelled.
    func run() async {
        guard let command else { return }
        for await code in stream { await hand(code, to: command) }
    }

    private func hand(_ code: IssuedCode, to command: String) async {
        var members: [String: JSONValue] = [
            "requestType": .string(code.request.rawValue), "email": .string(code.email), "code": .string(code.code),
            "link": .string(code.link),
        ]
        members["newEmail"] = code.newEmail.map { .string($0) }
        let text = JSONWriter.text(members) + [0x0A]
        do {
            let end = try await withTimeout(CodeDelivery.patience) {
                try await CodeDelivery.end(of: command, code.request.rawValue, told: text)
            }
            let tooLong = "it took longer than \(CodeDelivery.patience.components.seconds) s"
            if let end = end ?? tooLong { failed(code, end) }
        } catch {
            failed(code, "\(error)".oneLine)
        }
    }

    /// Runs the program to its end; nil where that is a good one. Cancelled, it ends the program.
    private static func end(of command: String, _ argument: String, told text: [UInt8]) async throws -> String? {
        var variables: [Environment.Key: String] = [:]
        for name in ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"] {
            variables[Environment.Key(stringLiteral: name)] = ThisProcess.environment(name)
        }
        let outcome = try await Subprocess.run(
            .path(FilePath(command)), arguments: [argument], environment: .custom(variables), input: .array(text),
            output: .discarded, error: .discarded)
        if case .exited(0) = outcome.terminationStatus { return nil }
        return "it ended with \(outcome.terminationStatus)".oneLine
    }

    private func failed(_ code: IssuedCode, _ reason: String) {
        logger.error(
            "A code was not handed on",
            metadata: [
                "event": "account.code.failed", "request": "\(code.request.rawValue)", "error": "\(reason)",
            ])
    }
}
