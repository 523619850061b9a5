internal import FoundationEssentials

/// Times as RFC 3339 writes them, to and from milliseconds since 1970.
///
/// Reads by hand, because Foundation's ISO 8601 parser takes days that do not exist, 24:00, words as zones and trailing
/// text, and refuses lower-case letters; a test compares the two.
public enum RFC3339 {
    /// Reads `2026-11-20T20:15:04.120Z`, with any number of decimals and any offset; nil for anything else, for a
    /// date that does not exist, and for times before 1970.
    public static func milliseconds(_ text: some StringProtocol) -> UInt64? {
        guard let time = time(text), time.seconds >= 0 else { return nil }
        return UInt64(time.seconds) * 1000 + UInt64(time.fraction)
    }

    /// Whether the text is a time that ``milliseconds(_:)`` would read if it were not before 1970.
    public static func isBefore1970(_ text: some StringProtocol) -> Bool {
        time(text).map { $0.seconds < 0 } ?? false
    }

    /// Seconds since 1970, and the milliseconds after them.
    private static func time(_ text: some StringProtocol) -> (seconds: Int, fraction: Int)? {
        var reader = Reader(bytes: Array(text.utf8))
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("Tt"), let hour = reader.number(2), reader.skip(":"),
            let minute = reader.number(2), reader.skip(":"), let second = reader.number(2)
        else { return nil }
        guard (1...12).contains(month), (1...daysIn(month, year)).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        guard let fraction = reader.fraction(), let offset = reader.offset(), reader.atEnd else { return nil }
        let seconds = daysSince1970(year, month, day) * 86400 + (hour * 60 + minute - offset) * 60 + second
        return (seconds, fraction)
    }

    /// Writes UTC with three decimals.
    public static func text(_ milliseconds: UInt64) -> String {
        // The format cuts below the millisecond, and the nearest `Double` may lie just before it: aim at its middle.
        format.format(Date(timeIntervalSince1970: (Double(milliseconds) + 0.5) / 1000))
    }

    private static let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private static func daysIn(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 in the Gregorian calendar, counting years from March so that leap days come last.
    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        var atEnd: Bool { position == bytes.count }

        mutating func digit() -> Int? {
            guard position < bytes.count, (0x30...0x39).contains(bytes[position]) else { return nil }
            position += 1
            return Int(bytes[position - 1] - 0x30)
        }

        mutating func number(_ digits: Int) -> Int? {
            var value = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                value = value * 10 + digit
            }
            return value
        }

        mutating func skip(_ any: String) -> Bool {
            guard position < bytes.count, any.utf8.contains(bytes[position]) else { return false }
            position += 1
            return true
        }

        /// Milliseconds after an optional point.
        mutating func fraction() -> Int? {
            guard skip(".") else { return 0 }
            var value = 0
            var digits = 0
            while let digit = digit() {
                if digits < 3 { value = value * 10 + digit }
                digits += 1
            }
            guard digits > 0 else { return nil }
            for _ in 0..<max(0, 3 - digits) { value *= 10 }
            return value
        }

        /// Minutes east of UTC.
        mutating func offset() -> Int? {
            if skip("Zz") { return 0 }
            let east = skip("+")
            guard east || skip("-"), let hours = number(2), skip(":"), let minutes = number(2) else { return nil }
            guard hours < 24, minutes < 60 else { return nil }
            return (hours * 60 + minutes) * (east ? 1 : -1)
        }
    }
}
