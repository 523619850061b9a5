internal import JSONText
package import SyncModel

/// One line of a plugin: which call it answers, and with what.
package struct PluginLine: Hashable, Sendable {
    package enum Content: Hashable, Sendable {
        case answer(PluginAnswer)
        case failed(PluginError)
    }

    package let id: Int64
    package let content: Content

    /// Whether the call ends with it.
    package var isEnd: Bool {
        switch content {
        case .answer(.ok), .failed: true
        case .answer: false
        }
    }

    /// Reads a line; keys that are not known are ignored.
    ///
    /// - Parameter redaction: takes secrets out of what is said about it.
    package init(_ line: [UInt8], _ redaction: Redaction = Redaction([])) throws(PluginBreach) {
        guard let members = try? JSONReader.members(line) else {
            throw PluginBreach(
                .notJSON,
                "it printed \(PluginBreach.excerpt(line, redaction)), which is no JSON object: what is not for moviesync belongs on standard error"
            )
        }
        let kinds = ["item", "progress", "ok", "error"].filter { members[$0] != nil }
        guard let id = members["id"]?.whole, kinds.count == 1, let kind = kinds.first, let value = members[kind] else {
            throw PluginBreach(
                .notAnAnswer,
                "it printed \(PluginBreach.excerpt(line, redaction)), which is no answer: the whole number of the call as \"id\", and one of item, progress, ok and error"
            )
        }
        self.id = id
        content =
            switch kind {
            case "item": .answer(.item(value))
            case "progress": .answer(.progress(value))
            case "ok": .answer(.ok(value))
            default: .failed(PluginError(value, redaction))
            }
    }

    /// The line that makes a call, its end included.
    package static func call(_ id: Int64, _ name: String, with arguments: JSONValue) -> [UInt8] {
        JSONWriter.text(["id": .integer(id), "call": .string(name), "with": arguments]) + [0x0A]
    }

    /// The line that cancels a call, its end included.
    package static func cancel(_ id: Int64) -> [UInt8] { JSONWriter.text(["cancel": .integer(id)]) + [0x0A] }
}
