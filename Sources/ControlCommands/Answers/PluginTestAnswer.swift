internal import ControlAPI
internal import PluginExam

/// What became of the promises of a plugin.
struct PluginTestAnswer: Answer {
    enum Word: String, Encodable, Sendable { case passed, failed, skipped }

    struct Row: Encodable {
        var name: String
        var promise: String
        var verdict: Word
        @Nullable var reason: String?
    }

    struct Reply: Encodable {
        var passed: Int
        var failed: Int
        var skipped: Int
        var items: [Row]
        /// Always null: as every list has it.
        @Nullable var next: String?

        init(passed: Int, failed: Int, skipped: Int, items: [Row]) {
            self.passed = passed
            self.failed = failed
            self.skipped = skipped
            self.items = items
            next = nil
        }
    }

    var results: [ExamResult] = []

    func count(of word: Word) -> Int { results.count { PluginTestAnswer.word($0.verdict).word == word } }

    var reply: Reply {
        Reply(
            passed: count(of: .passed), failed: count(of: .failed), skipped: count(of: .skipped),
            items: results.map { result in
                let (word, reason) = PluginTestAnswer.word(result.verdict)
                return Row(name: result.name, promise: result.promise, verdict: word, reason: reason)
            })
    }

    var summary: String {
        "\(count(of: .passed)) passed, \(count(of: .failed)) failed, \(count(of: .skipped)) skipped"
    }

    func text(_ style: Style) -> String {
        (results.map { PluginTestAnswer.line($0, style) } + [summary]).joined(separator: "\n")
    }

    /// One row of the table, and below it what the plugin did instead.
    static func line(_ result: ExamResult, _ style: Style) -> String {
        let (word, reason) = word(result.verdict)
        let ink: Style.Ink = word == .passed ? .good : word == .failed ? .bad : .faint
        let row = style.paint(padded(word.rawValue, to: 9), ink) + padded(result.name, to: 18) + result.promise
        return reason.map { "\(row)\n" + String(repeating: " ", count: 9) + Printable.text($0) } ?? row
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    private static func word(_ verdict: ExamResult.Verdict) -> (word: Word, reason: String?) {
        switch verdict {
        case .passed: (.passed, nil)
        case .failed(let reason): (.failed, reason)
        case .skipped(let reason): (.skipped, reason)
        }
    }
}
