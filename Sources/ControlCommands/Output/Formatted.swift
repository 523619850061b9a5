internal import ControlAPI
internal import JSONText
internal import SyncModel

/// Numbers, times and values in the form that people read.
///
/// By hand, because Foundation's formats for numbers, sizes and spans bring its 40 MB of data for all languages.
enum Formatted {
    /// `12,345`.
    static func count(_ number: some BinaryInteger) -> String {
        number.grouped
    }

    /// `1 record`, `12 records`.
    static func count(_ number: Int, _ noun: String) -> String {
        "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// `512 bytes`, `7.4 MB`.
    static func bytes(_ number: UInt64) -> String {
        guard number >= 1_000 else { return count(Int(number), "byte") }
        var (value, unit) = (Double(number), "")
        for next in ["kB", "MB", "GB", "TB"] where value >= 1_000 { (value, unit) = (value / 1_000, next) }
        let tenths = Int((value * 10).rounded(.down))
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }

    /// `3 s`, `12 min`, `5 h`, `8 days`, `4 years`.
    static func span(seconds: Double) -> String {
        Span(seconds: UInt64(max(0, min(seconds, 1e12)))).description
    }

    /// How long `moment` is past, or ahead.
    static func ago(_ moment: Moment, now: Moment) -> String {
        let difference = (Double(now.milliseconds) - Double(moment.milliseconds)) / 1_000
        if abs(difference) < 1 { return "now" }
        return difference < 0 ? "in \(span(seconds: -difference))" : "\(span(seconds: difference)) ago"
    }

    /// A field's value: strings as they are, everything else as JSON.
    static func value(_ value: JSONValue?) -> String {
        guard let value, value != .null else { return "" }
        return value.text ?? JSONWriter.string(value)
    }
}
