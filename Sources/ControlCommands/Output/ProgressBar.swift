internal import OperatingSystem
internal import SystemPackage

/// How much is done, in one line on standard error that is drawn over itself; nothing where that is no terminal.
struct ProgressBar: Sendable {
    private let width: Int?

    init() { width = Terminal.isTerminal(2) ? Terminal.columns(of: 2) ?? 80 : nil }

    /// Draws the line anew.
    func draw(done: Int, of total: Int) {
        if let width { write("\r\(ProgressBar.line(done: done, of: total, width: width))\u{1B}[K") }
    }

    /// Draws words instead, while it is not known how much there is to do.
    func draw(_ words: String) {
        if let width { write("\r\(Printable.cut(words, to: width - 1))\u{1B}[K") }
    }

    /// Takes the line away.
    func clear() {
        if width != nil { write("\r\u{1B}[K") }
    }

    /// The line, as wide as `width` allows.
    static func line(done: Int, of total: Int, width: Int) -> String {
        let share = total > 0 ? min(1, max(0, Double(done) / Double(total))) : 1
        let words = " \(Formatted.count(done)) of \(Formatted.count(total))  \(Int(share * 100)) %"
        let room = min(40, width - Printable.width(words) - 3)
        guard room >= 5 else { return Printable.cut(String(words.dropFirst()), to: max(1, width - 1)) }
        let filled = Int(share * Double(room))
        return "[" + String(repeating: "#", count: filled) + String(repeating: " ", count: room - filled) + "]" + words
    }

    private func write(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }
}
