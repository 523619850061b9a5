/// What is wrong with a command line, in one line: the parser has several.
struct UsageComplaint: CustomStringConvertible {
    let description: String

    /// - Parameters:
    ///   - message: the parser's words, with values that can be given in lines of their own.
    ///   - help: the parser's words with how the command is used, which end with where to read more.
    init(_ message: String, help: String) {
        var lines = message.split(separator: "\n").map { String($0).trimmingPrefix { $0 == " " } }
        let values = lines.filter { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
        lines.removeAll { $0.hasPrefix("- ") }
        var text = lines.joined(separator: " ")
        if !values.isEmpty { text += " " + values.joined(separator: ", ") }
        if text.hasPrefix("Error: ") { text.removeFirst(7) }
        if text.hasSuffix(".") { text.removeLast() }
        let quoted = help.split(separator: "\n").last { $0.hasPrefix("  See '") }?.split(separator: "'")
        let more = quoted.flatMap { $0.count > 1 ? String($0[1]) : nil } ?? "moviesyncd --help"
        description = "moviesyncd: \(text); see '\(more)'"
    }
}
