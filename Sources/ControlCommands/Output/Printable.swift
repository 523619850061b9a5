/// Text from elsewhere, fit for a terminal.
///
/// Widths are found by hand, because the C library's `wcwidth` knows only what the locale of the process has.
enum Printable {
    /// `text` in one line, without characters that would steer the terminal.
    static func text(_ text: String) -> String {
        if isPlain(text) { return text }
        var out = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: out.append(" ")
            case .format where scalar != "\u{200D}": continue
            default: out.append(scalar)
            }
        }
        return String(out)
    }

    /// How many columns of a terminal `text` takes.
    static func width(_ text: String) -> Int {
        isPlain(text) ? text.utf8.count : text.reduce(0) { $0 + width($1) }
    }

    /// The longest beginning of `text` that fits, with `…` where something is missing.
    static func cut(_ text: String, to width: Int) -> String {
        guard self.width(text) > width else { return text }
        var room = width - 1
        var out = ""
        for character in text {
            room -= self.width(character)
            guard room >= 0 else { break }
            out.append(character)
        }
        return out + "…"
    }

    /// Whether each byte is a character of one column: nearly always, and quick to see.
    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

    /// Two columns for what is drawn wide: East Asian scripts and pictures.
    private static func width(_ character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        if character.unicodeScalars.contains("\u{FE0F}") || scalar.properties.isEmojiPresentation { return 2 }
        return wide.contains { $0.contains(scalar.value) } ? 2 : 1
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
        0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD,
    ]
}
