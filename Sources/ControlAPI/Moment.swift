internal import FoundationEssentials
internal import SyncModel

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
    package var description: String { RFC3339.text(milliseconds) }

    /// Reads RFC 3339: a date, `T`, a time with or without decimals, and `Z` or an offset like `+02:00`.
    ///
    /// Decimals beyond milliseconds are cut. Nil for anything else, a day that does not exist, or a time before 1970.
    package init?(_ text: String) {
        guard let milliseconds = RFC3339.milliseconds(text) else { return nil }
        self.init(milliseconds: milliseconds)
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
