extension Duration {
    /// Reads a whole number with a unit: `ms`, `s`, `m`, `h` or `d`; nil for anything else, or more than 100 years.
    package init?(setting text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let units: [Substring: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard !digits.isEmpty, let number = Int64(digits), let unit = units[text[digits.endIndex...]] else {
            return nil
        }
        let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit)
        guard !overflow, milliseconds <= 36_525 * 86_400_000 else { return nil }
        self = .milliseconds(milliseconds)
    }
}
