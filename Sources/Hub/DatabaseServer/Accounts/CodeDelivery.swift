internal import Accounts
internal import JSONText
internal import Logging
internal import Subprocess
internal import SyncModel
internal import Synchronization
internal import SystemPackage

/// Hands codes on: to a program, or where there is none to the log.
final class CodeDelivery: Sendable {
    /// So many wait for the program; of more the oldest ones are dropped.
    private static let queue = 1000
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
        logger.notice(
            "A code for an address",
            metadata: [
                "event": "account.code", "request": "\(code.request.rawValue)", "email": "\(code.email)",
                "code": "\(code.code)", "link": "\(code.link)",
            ])
    }

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
        do {
            let outcome = try await Subprocess.run(
                .path(FilePath(command)), arguments: [code.request.rawValue],
                input: .array(JSONWriter.text(members) + [0x0A]), output: .discarded, error: .discarded)
            guard case .exited(0) = outcome.terminationStatus else {
                return failed(code, "\(outcome.terminationStatus)")
            }
        } catch {
            failed(code, "\(error)".oneLine)
        }
    }

    private func failed(_ code: IssuedCode, _ reason: String) {
        logger.error(
            "A code was not handed on",
            metadata: [
                "event": "account.code.failed", "request": "\(code.request.rawValue)", "error": "\(reason)",
            ])
    }
}
