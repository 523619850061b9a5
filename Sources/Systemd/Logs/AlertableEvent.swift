package import Logging

/// An event that a monitor would alert on, with its fixed `MESSAGE_ID`.
///
/// The message catalog and the table of events in docs/operations.md are made of these.
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
}
