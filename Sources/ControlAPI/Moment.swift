internal import FoundationEssentials

/// A point in time in milliseconds since 1970; its text form is RFC 3339 in UTC with three decimals.
package struct Moment: Hashable, Sendable, Comparable {
    package var milliseconds: UInt64

    /// 9999-12-31T23:59:59.999Z: no text form lies beyond it.
    private static let last: UInt64 = 253_402_300_799_999

    package init(milliseconds: UInt64) { self.milliseconds = min(milliseconds, Moment.last) }

    /// The moment the wall clock shows.
    package static func now() -> Moment {
        Moment(milliseconds: UInt64(max(0, Date().timeIntervalSince1970 * 1000)))
    }

    package static func < (left: Moment, right: Moment) -> Bool { left.milliseconds < right.milliseconds }
}

extension Moment: CustomStringConvertible {
    /// Like `2026-11-20T20:15:04.120Z`.
    package var description: String {
        // Whole seconds first: a fraction carried in a Date would be cut, not rounded, to milliseconds.
        let seconds = Date(timeIntervalSince1970: Double(milliseconds / 1000)).formatted(.iso8601)
        let digits = String(milliseconds % 1000)
        return seconds.dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
    }

    /// Reads RFC 3339: a date, `T`, a time with or without decimals, and `Z` or an offset like `+02:00`.
    ///
    /// Decimals beyond milliseconds are cut. Nil for anything else, a day that does not exist, or a time before 1970.
    package init?(_ text: String) {
        guard let match = text.wholeMatch(of: Moment.form) else { return nil }
        let zone = String(match.zone).uppercased()
        let whole = "\(match.date)T\(match.time)\(zone == "Z" ? "Z" : zone)"
        guard let seconds = try? Date(whole, strategy: .iso8601).timeIntervalSince1970, seconds >= 0 else { return nil }
        guard match.date.dropFirst(8) == Moment.day(at: seconds, zone: zone) else { return nil }
        let decimals = ((match.decimals ?? "") + "000").prefix(3)
        self.init(milliseconds: UInt64(seconds) * 1000 + (UInt64(decimals) ?? 0))
    }

    private typealias Form = Regex<
        (Substring, date: Substring, time: Substring, decimals: Substring?, zone: Substring)
    >

    private static var form: Form {
        /(?<date>\d{4}-\d{2}-\d{2})[Tt](?<time>\d{2}:[0-5]\d:[0-5]\d)(?:\.(?<decimals>\d+))?(?<zone>[Zz]|[+-]\d{2}:\d{2})/
            .asciiOnlyDigits()
    }

    /// The day of the month of `seconds` as seen in `zone`: a 31 June read as 1 July is no date.
    private static func day(at seconds: Double, zone: String) -> Substring {
        var shift = 0.0
        if zone != "Z" {
            let parts = zone.dropFirst().split(separator: ":").compactMap { Double($0) }
            shift = (parts[0] * 3600 + parts[1] * 60) * (zone.hasPrefix("-") ? -1 : 1)
        }
        return Date(timeIntervalSince1970: seconds + shift).formatted(.iso8601).dropFirst(8).prefix(2)
    }
}

extension Moment: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let moment = Moment(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "this is not an RFC 3339 time")
        }
        self = moment
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
