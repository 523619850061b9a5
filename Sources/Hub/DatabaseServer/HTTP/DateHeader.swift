internal import HTTPTypes
internal import OperatingSystem
internal import Synchronization

/// The `Date` header, made anew at most once a second and only when somebody asks.
final class DateHeader: Sendable {
    private let cached = Mutex((second: 0, field: HTTPField(name: .date, value: "")))

    var field: HTTPField {
        let second = WallClock.seconds
        return cached.withLock { cached in
            if cached.second != second {
                cached = (second, HTTPField(name: .date, value: WallClock.httpDate(second)))
            }
            return cached.field
        }
    }
}
