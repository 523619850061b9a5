package import FirebaseWire

/// The body of a large `PATCH`, read piece by piece.
package struct LargePatch: Sendable {
    package typealias Entry = (path: WirePath, value: PendingValue)

    /// As those of a ``PatchBody``.
    package let entries: [Entry]
    package let hasPriorities: Bool
    /// Whether something adds to a number that is there.
    package let hasIncrement: Bool

    /// Reads what ``PatchBody`` reads; nil where the text does not begin as an object. Throws a refusal (400).
    ///
    /// - Parameter base: the path of the request; counts for the depth.
    package init?(_ text: UnsafeBufferPointer<UInt8>, base: WirePath) throws(Refusal) {
        let range = LargeValueReader.trimmed(text)
        guard text[range].first == UInt8(ascii: "{"),
            var cut = MemberCut(text, in: range, size: LargeValueReader.run)
        else { return nil }
        var reader = LargeValueReader(text)
        var entries: [Entry] = []
        var (hasPriorities, hasIncrement) = (false, false)
        while let piece = cut.next() {
            switch piece {
            case .run(let range):
                guard let patch = try LargePatch.patch([UInt8](enclosing: text[range]), range.lowerBound, text, base)
                else { throw .invalidJSON }
                hasPriorities = hasPriorities || patch.hasPriorities
                for entry in patch.entries {
                    let hasServerValues = patch.hasServerValues && entry.value.hasServerValues
                    hasIncrement = hasIncrement || hasServerValues && entry.value.hasIncrement
                    entries.append((entry.path, PendingValue(entry.value, hasServerValues: hasServerValues)))
                }
            case .large(let key, let value):
                // The path is read as one that is deleted.
                guard let key,
                    let path = try LargePatch.patch([UInt8](deleting: text[key]), key.lowerBound, text, base)?
                        .entries.first?.path
                else { throw .invalidJSON }
                guard path.isPriority else {
                    entries.append((path, try reader.value(in: value, depth: base.keys.count + path.keys.count)))
                    continue
                }
                let body = try PutBody(priority: UnsafeBufferPointer(rebasing: text[value]))
                hasPriorities = true
                entries.append((path, PendingValue(body.value, hasServerValues: body.hasServerValues)))
            }
        }
        guard cut.isFinished else { throw .invalidJSON }
        self.entries = try PatchBody.ordered(entries, \.path)
        self.hasPriorities = hasPriorities || reader.hasPriorities
        self.hasIncrement = hasIncrement || reader.hasIncrement
    }

    /// Reads the object of some members, which begin at `start`.
    private static func patch(
        _ piece: [UInt8], _ start: Int, _ text: UnsafeBufferPointer<UInt8>, _ base: WirePath
    ) throws(Refusal) -> PatchBody? {
        try piece.asText { bytes throws(Refusal) in
            try PatchBody(bytes, of: text, from: start - 1, base: base)
        }
    }
}
