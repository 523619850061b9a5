/// The picture of a person who has none: the first letter of the name on a disc, whose colour is the name's.
struct Initial: Hashable, Sendable {
    /// One letter or digit in capitals; a question mark where the name has none.
    ///
    /// A single scalar: what people see as one letter may hold a bracket, which would be markup.
    let letter: Unicode.Scalar
    private let hue: Int

    init(of name: String) {
        let first = name.unicodeScalars.first { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        letter = first.flatMap { $0.properties.uppercaseMapping.unicodeScalars.first } ?? "?"
        hue = name.unicodeScalars.reduce(0) { ($0 * 31 + Int($1.value)) % 360 }
    }

    /// Names it, with quotation marks as HTTP has them.
    var tag: String { "\"initial-\(letter.value)-\(hue)\"" }

    /// White on a dark colour, which can be read on light pages and on dark ones.
    var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="32" \
        fill="hsl(\(hue) 45% 35%)"/><text x="32" y="43" font-family="system-ui, sans-serif" font-size="32" \
        text-anchor="middle" fill="#fff">\(letter)</text></svg>

        """
    }
}
