package import FoundationEssentials

/// The JSON of the control socket: keys in order, slashes as they are.
package enum ControlJSON {
    /// The text of `reply`, without a line end.
    package static func text(_ reply: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(reply)
    }

    /// Reads what ``text(_:)`` wrote; unknown keys are ignored.
    package static func read<Reply: Decodable>(_ type: Reply.Type, from text: Data) throws -> Reply {
        try JSONDecoder().decode(type, from: text)
    }
}
