internal import Logging
internal import Systemd

extension AlertableEvent {
    /// All of them as a message catalog of the systemd journal.
    static var catalog: String {
        all.map { event in
            """
            -- \(event.messageID)
            Subject: \(event.subject)
            Defined-By: moviesync

            \(event.explanation.wrapped(to: 116).joined(separator: "\n"))

            """
        }.joined(separator: "\n")
    }

    /// All of them as a table of Markdown.
    static var table: String {
        let rows = all.map { "| `\($0.name)` | \($0.level) | `\($0.messageID)` | \($0.summary) |\n" }
        return "| event | level | `MESSAGE_ID` | |\n|---|---|---|---|\n" + rows.joined()
    }
}
