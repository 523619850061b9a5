internal import ControlAPI
internal import OperatingSystem

/// Why a command failed: one line for people, an exit code for scripts.
struct CommandFailure: Error, Hashable {
    /// What an error says, whatever it is.
    static func message(of error: any Error) -> String { (error as? CommandFailure)?.message ?? "\(error)" }

    /// The exit codes of sysexits.h.
    enum Code: Int32 {
        case usage = 64
        case badData = 65
        /// There is no such record, or no such item in a catalog.
        case missing = 66
        case notRunning = 69
        case internalFault = 70
        case inputOutput = 74
        /// The remote does not have it yet, or what was asked for is under way already.
        case tryAgain = 75
        case notAllowed = 77
        case badConfiguration = 78

        /// A stable word for programs.
        var word: String {
            switch self {
            case .usage: "usage"
            case .badData: "badData"
            case .missing: "missing"
            case .notRunning: "notRunning"
            case .internalFault: "internal"
            case .inputOutput: "inputOutput"
            case .tryAgain: "tryAgain"
            case .notAllowed: "notAllowed"
            case .badConfiguration: "badConfiguration"
            }
        }
    }

    var code: Code
    /// What was wrong, and what to do.
    var message: String
    /// The daemon's word for it, where that has one.
    var word: String?

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error as the control socket has it.
    var reply: ControlError { ControlError(500, word ?? code.word, message) }

    init(_ error: ControlError) {
        let code: Code =
            switch error.status {
            case 400: .usage
            case 401, 403: .notAllowed
            case 404 where error.code == "unknownRecord" || error.code == "notFound": .missing
            case 409 where ["noKey", "unauthorized"].contains(error.code): .notAllowed
            case 429, 503: .tryAgain
            case 409 where [.verifying, .backingUp].contains(error): .tryAgain
            case 404, 409, 410, 422: .badData
            case 500 where ["stateFailed", "notKept"].contains(error.code): .inputOutput
            default: .internalFault
            }
        self.init(code, error.message)
        word = error.code
    }

    /// A file that can't be used.
    init(_ error: SystemError) {
        if error.isPermission {
            self.init(.notAllowed, "\(error); join the group moviesync, or use sudo")
        } else if error.isMissing {
            let advice = "give --journal, or make the folder, or start the daemon, which makes it where it may"
            self.init(.inputOutput, "\(error); \(advice)")
        } else {
            self.init(.inputOutput, "\(error)")
        }
    }

    static func notRunning(at socket: String) -> CommandFailure {
        CommandFailure(.notRunning, "no daemon answers at \(socket); start moviesyncd, or give --socket")
    }

    /// A daemon, with its process where that is known, takes connections and does nothing else.
    static func notAnswering(at socket: String, _ process: Int32?) -> CommandFailure {
        let pid = process.map { ", pid \($0)," } ?? ""
        var failure = CommandFailure(
            .notRunning,
            "the daemon at \(socket)\(pid) is running, but does not answer: see its log, and restart it "
                + "(systemctl restart moviesyncd) unless its watchdog does")
        failure.word = silence
        return failure
    }

    /// Whoever listens has not done within `limit` what was asked.
    static func late(at socket: String, _ limit: Duration) -> CommandFailure {
        var failure = CommandFailure(
            .notRunning, "the daemon at \(socket) did not answer within \(limit.roundedText) s; see its log")
        failure.word = silence
        return failure
    }

    /// The same, of an edit that was not appended.
    var withNothingSaved: CommandFailure {
        var failure = self
        failure.message += "; nothing was saved"
        return failure
    }

    /// Whether there is a daemon all the same, though none answers.
    var isSilence: Bool { word == CommandFailure.silence }

    private static let silence = "notAnswering"

    static func notAllowed(at socket: String) -> CommandFailure {
        CommandFailure(
            .notAllowed, "you are not allowed to connect to \(socket); join the group moviesync, or use sudo")
    }
}
