internal import OperatingSystem
internal import Synchronization

/// The `Date` header, made anew at most once a second and only when somebody asks.
final class DateHeader: Sendable {
    private let cached = Mutex((second: 0, text: ""))

    var text: String {
        let second = WallClock.seconds
        return cached.withLock { cached in
            if cached.second != second { cached = (second, WallClock.httpDate(second)) }
            return cached.text
        }
    }
}
