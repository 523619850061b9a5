/// A length of time in words, as people say it: `45 s`, `12 min`, `5 h`, `8 days`, `4 years`.
package struct Span: Hashable, Sendable, CustomStringConvertible {
    package var seconds: UInt64

    package init(seconds: UInt64) { self.seconds = seconds }

    package init(milliseconds: UInt64) { seconds = milliseconds / 1_000 }

    /// Rounded down to the unit that is shown.
    package var description: String {
        let (minute, hour, day, year): (UInt64, UInt64, UInt64, UInt64) = (60, 3_600, 86_400, 31_556_952)
        return switch seconds {
        case ..<minute: "\(seconds) s"
        case ..<hour: "\(seconds / minute) min"
        case ..<(2 * day): "\(seconds / hour) h"
        case ..<(2 * year): "\(seconds / day) days"
        default: "\(seconds / year) years"
        }
    }
}
