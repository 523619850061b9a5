package import Logging

/// An event that a monitor would alert on, with its fixed `MESSAGE_ID`.
///
/// The message catalog and the table of events in docs/operations.md are made from these.
package struct AlertableEvent: Sendable {
    /// The stable word, as `MOVIESYNC_EVENT` has it.
    package let name: String
    /// 32 hexadecimal digits.
    package let messageID: String
    package let level: Logger.Level
    /// What has happened, in some words of Markdown.
    package let summary: String
    /// The title in the catalog.
    package let subject: String
    /// What it means, and what to do; `@MOVIESYNC_KIND@` stands for the value of that field.
    package let explanation: String

    init(
        _ name: String, _ messageID: String, _ level: Logger.Level, summary: String, subject: String,
        explanation: String
    ) {
        self.name = name
        self.messageID = messageID
        self.level = level
        self.summary = summary
        self.subject = subject
        self.explanation = explanation
    }

    /// The id of an event that is worth an alert, nil for all others.
    package static func messageID(of event: String) -> String? { messageIDs[event] }

    private static let messageIDs = Dictionary(all.map { ($0.name, $0.messageID) }) { first, _ in first }

    /// All of them as a message catalog of the systemd journal.
    package static var catalog: String {
        all.map { event in
            """
            -- \(event.messageID)
            Subject: \(event.subject)
            Defined-By: moviesync

            \(wrapped(event.explanation, at: 116))

            """
        }.joined(separator: "\n")
    }

    /// All of them as a table of Markdown.
    package static var table: String {
        let rows = all.map { "| `\($0.name)` | \($0.level) | `\($0.messageID)` | \($0.summary) |\n" }
        return "| event | level | `MESSAGE_ID` | |\n|---|---|---|---|\n" + rows.joined()
    }

    private static func wrapped(_ text: String, at width: Int) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n")
    }
}
