package import FirebaseWire

/// A large write as it was sent: its text, checked, and what must be known of it to look at what it would store.
///
/// It takes little more than the text, where the nodes that are made of it take several times as much. So what is refused
/// is refused before there are any.
package final class Outline: Sendable {
    enum Content: Sendable {
        /// Where the one value stands.
        case value(OutlineFinding, Range<Int>)
        case patch(OutlinePatch)
    }

    /// How many bytes a text may have of which there are outlines; a smaller one is read at once.
    package static let sizes = (LargeValueReader.large + 1)..<(1 << 31)

    package let text: [UInt8]
    /// The path of the request.
    package let base: WirePath
    /// Whether something in it adds to a number that is there.
    package let hasIncrement: Bool
    let content: Content

    /// Reads the text of a put. Throws a refusal (400) where it can't be stored.
    ///
    /// - Parameter base: may not be the place of a priority.
    package init(put text: [UInt8], at base: WirePath, run: Int = OutlineReader.run) throws(Refusal) {
        let (content, hasIncrement) = try text.asText { bytes throws(Refusal) -> (Content, Bool) in
            var reader = OutlineReader(bytes, run: run)
            let range = LargeValueReader.trimmed(bytes)
            return (.value(try reader.value(in: range, depth: base.keys.count), range), reader.hasIncrement)
        }
        self.text = text
        self.base = base
        self.content = content
        self.hasIncrement = hasIncrement
    }

    /// Reads the text of a patch; nil where it is `null`. Throws a refusal (400) where it can't be stored.
    package init?(patch text: [UInt8], at base: WirePath, run: Int = OutlineReader.run) throws(Refusal) {
        let read = try text.asText { bytes throws(Refusal) -> (Content, Bool)? in
            var reader = OutlineReader(bytes, run: run)
            guard let patch = try OutlinePatch(&reader, base: base, run: run) else { return nil }
            return (.patch(patch), reader.hasIncrement)
        }
        guard let (content, hasIncrement) = read else { return nil }
        self.text = text
        self.base = base
        self.content = content
        self.hasIncrement = hasIncrement
    }

    /// Throws a refusal (400) where a large text can't be stored as a priority.
    package static func check(priority text: UnsafeBufferPointer<UInt8>) throws(Refusal) {
        var reader = OutlineReader(text)
        _ = try reader.priority(in: LargeValueReader.trimmed(text))
    }

    /// Calls `body` with each place that is written, from the root of the database, until it returns false. Returns
    /// whether all were visited.
    ///
    /// They come one by one because all of them can be many times the text.
    package func forEachPlace(_ body: (WirePath) throws -> Bool) rethrows -> Bool {
        guard case .patch(let patch) = content else { return try body(base) }
        return try text.withUnsafeBufferPointer { text in
            let keys = OutlineKeys(text: text, arePaths: true)
            for place in patch.places + patch.priorities {
                guard try body(base.appending(keys.path(OutlinePlace.offset(place)).node)) else { return false }
            }
            return true
        }
    }
}
