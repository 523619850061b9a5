extension String {
    /// This text for an error that quotes what others wrote: line ends and other control characters are spaces, and it
    /// ends after 1,000 characters of Unicode.
    package var oneLine: String {
        func breaks(_ scalar: Unicode.Scalar) -> Bool {
            [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        let limit = 1_000
        guard utf8.count > limit || unicodeScalars.contains(where: breaks) else { return self }
        var line = UnicodeScalarView()
        for scalar in unicodeScalars.prefix(limit) { line.append(breaks(scalar) ? " " : scalar) }
        return String(line) + (unicodeScalars.count > limit ? "…" : "")
    }
}
