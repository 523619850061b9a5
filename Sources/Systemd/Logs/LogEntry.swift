package import FoundationEssentials
package import Logging

/// One log event with everything merged that belongs to it, ready to be written anywhere.
package struct LogEntry: Sendable {
    package var time: Date
    package var level: Logger.Level
    package var message: String
    /// The stable word, from the metadata key `event`; nil where a dependency logs without one.
    package var event: String?
    /// The other metadata, in the order of their keys.
    package var facts: [(key: String, value: String)]
    package var file: String
    package var function: String
    package var line: UInt

    /// - Parameter metadata: that of the event, of the logger and of its provider, merged.
    package init(_ event: LogEvent, metadata: Logger.Metadata, time: Date) {
        self.time = time
        level = event.level
        message = event.message.description
        self.event = metadata["event"]?.description
        facts = metadata.filter { $0.key != "event" }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value.description) }
        if let error = event.error, metadata["error"] == nil { facts.append(("error", "\(error)")) }
        file = event.file
        function = event.function
        line = event.line
    }

    /// The message and its facts as one line for people.
    ///
    /// Nothing in a message or a value can start a new line or move the cursor of a terminal: control characters are
    /// escaped, and a value with a space, a quote or an equals sign stands in quotes.
    package var sentence: String {
        facts.reduce(into: Self.escaped(message)) { $0 += " \(Self.escaped($1.key))=\(Self.quoted($1.value))" }
    }

    private static func quoted(_ value: String) -> String {
        let plain = !value.isEmpty && !value.contains { " \"=\\".contains($0) }
        guard !plain else { return escaped(value) }
        return "\"" + escaped(value.map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()) + "\""
    }

    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            default: isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }
        }.joined()
    }

    /// Control and format characters (the latter reorder text), and Unicode's own line ends.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
