internal import SyncModel

/// What a plugin prints on standard error, as lines of a log: each with a level, none too long, not too many.
package struct PluginLog: Sendable {
    /// The levels of sd-daemon, by the number in `<N>` at the beginning of a line.
    package enum Level: Int, Sendable { case emergency, alert, critical, error, warning, notice, info, debug }

    package struct Line: Hashable, Sendable {
        package let level: Level
        package let text: String
    }

    /// In bytes; what is longer is cut.
    private static let maxLine = 4_096
    /// Lines in a second; what comes above that is counted.
    private static let maxRate = 100

    private var redaction: Redaction
    private var partial: [UInt8] = []
    private var second: UInt64 = 0
    private var inSecond = 0
    private var leftOut = 0

    package init(_ redaction: Redaction = Redaction([])) { self.redaction = redaction }

    /// Takes these secrets out from now on, beside those that the plugin was told before.
    package mutating func takeOut(_ secrets: some Sequence<String>) { redaction = redaction.adding(secrets) }

    /// - Parameter now: milliseconds of a clock that only goes forward.
    /// - Returns: the lines that end in `bytes`; before the first one of a new second, how many were left out in the last.
    package mutating func read(_ bytes: ArraySlice<UInt8>, at now: UInt64) -> [Line] {
        var lines: [Line] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            add(rest[..<end])
            rest = rest[(end + 1)...]
            endLine(&lines, now)
        }
        add(rest)
        return lines
    }

    /// What is left when nothing more comes: a line without an end, and how many were left out.
    package mutating func finish(at now: UInt64) -> [Line] {
        var lines: [Line] = []
        if !partial.isEmpty { endLine(&lines, now) }
        tellLeftOut(&lines)
        return lines
    }

    /// How much of a line is kept until it ends.
    private var limit: Int { PluginLog.maxLine + 3 + redaction.longest }

    private mutating func add(_ bytes: ArraySlice<UInt8>) {
        partial += bytes.prefix(limit - partial.count)
    }

    private mutating func endLine(_ lines: inout [Line], _ now: UInt64) {
        defer { partial.removeAll(keepingCapacity: true) }
        if now / 1_000 != second {
            second = now / 1_000
            inSecond = 0
            tellLeftOut(&lines)
        }
        guard inSecond < PluginLog.maxRate else {
            // Nobody will see it: a program that prints without end must not keep this one busy, too.
            if !partial.isEmpty { leftOut += 1 }
            return
        }
        inSecond += partial.isEmpty ? 0 : 1
        if let line = line(partial) { lines.append(line) }
    }

    private mutating func tellLeftOut(_ lines: inout [Line]) {
        guard leftOut > 0 else { return }
        lines.append(Line(level: .warning, text: "\(leftOut) lines were left out: more than 100 in a second"))
        leftOut = 0
    }

    private func line(_ bytes: [UInt8]) -> Line? {
        var bytes = bytes[...]
        var level = Level.info
        if bytes.count >= 3, bytes[0] == UInt8(ascii: "<"), bytes[2] == UInt8(ascii: ">"),
            let prefixed = Level(rawValue: Int(bytes[1]) - 0x30)
        {
            level = prefixed
            bytes = bytes.dropFirst(3)
        }
        var said = redaction(String(decoding: bytes, as: UTF8.self))
        if said.utf8.count > PluginLog.maxLine {
            // What was cut before may end in a part of a secret. Cut within a character, the last one is a replacement.
            let whole = said.utf8.dropLast(partial.count == limit ? redaction.longest : 0)
            said = String(decoding: whole.prefix(PluginLog.maxLine - 3), as: UTF8.self)
        }
        let text = said.spaced
        return text.isEmpty ? nil : Line(level: level, text: text)
    }
}

extension String {
    /// Without characters that would steer a terminal or part a line, and without blanks at its ends.
    fileprivate var spaced: String {
        var out = UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: out.append(" ")
            default: out.append(scalar)
            }
        }
        let text = String(out)
        guard let first = text.firstIndex(where: { $0 != " " }), let last = text.lastIndex(where: { $0 != " " }) else {
            return ""
        }
        return String(text[first...last])
    }
}
