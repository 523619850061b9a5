internal import ControlAPI

/// How long a command waits for the remote.
enum WaitTime {
    static let max = ControlRoute.maxWait
    static let `default` = Duration.seconds(60)

    static func chosen(flag: Bool, seconds: Double?) -> Duration? {
        seconds.map { .seconds($0) } ?? (flag ? `default` : nil)
    }
}
