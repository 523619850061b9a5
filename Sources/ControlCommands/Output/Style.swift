internal import OperatingSystem

/// How text may look: as wide as the terminal, in colour only there.
struct Style: Hashable, Sendable {
    enum Ink: String, Sendable {
        case strong = "1"
        case faint = "2"
        case bad = "31"
        case good = "32"
        case warning = "33"
    }

    /// How many characters fit in a row; nil where nobody cuts them, as in a pipe.
    var width: Int?
    var colour: Bool
    var isTerminal: Bool
    /// Whether columns have a tab between them and nothing to fill them, as programs want it.
    var isTabbed = false

    init(width: Int? = nil, colour: Bool = false, isTerminal: Bool = false) {
        self.width = width
        self.colour = colour
        self.isTerminal = isTerminal
    }

    /// What suits standard output.
    static func standardOutput() -> Style {
        let isTerminal = Terminal.isTerminal(1)
        let asked = ThisProcess.environment("COLUMNS").flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        let plain = ThisProcess.environment("NO_COLOR").map { !$0.isEmpty } ?? false
        let dumb = ThisProcess.environment("TERM") == "dumb"
        return Style(
            width: isTerminal ? Terminal.columns(of: 1) ?? asked ?? 80 : asked,
            colour: isTerminal && !plain && !dumb,
            isTerminal: isTerminal
        )
    }

    /// `text` in `ink`, where there is colour.
    func paint(_ text: String, _ ink: Ink?) -> String {
        guard let ink, colour, !text.isEmpty else { return text }
        return "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m"
    }
}
