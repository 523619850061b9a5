internal import JSONText
internal import SyncModel

/// What a second key held when it was the only one, or was merged last.
struct SecondKeyContent: Sendable {
    var content: Content
    var isMerged: Bool

    /// What of it is no edit over the record's own key: what was merged before, or what an app has written after it.
    func content(beside own: RemoteSnapshot?) -> Content? { isMerged || own?.stamp == nil ? content : nil }

    /// What tells the two in the book.
    fileprivate static let (merged, only) = (UInt8(ascii: "m"), UInt8(ascii: "o"))
}

/// It stands in the book until the second key is gone: what was merged once would be an edit made now after a restart.
extension RecordBook {
    private func nameOfHeldBefore(_ key: RecordKey) -> String { "secondKey.\(key.collection).\(key.id)" }

    /// What the second key of a record held; nil where nothing is known of one.
    func heldBefore(_ key: RecordKey) throws -> SecondKeyContent? {
        guard let text = try value(nameOfHeldBefore(key)), let mark = text.first else { return nil }
        return SecondKeyContent(
            content: Content(canonicalText: Array(text.dropFirst())), isMerged: mark == SecondKeyContent.merged)
    }

    func setHeldBefore(_ content: Content, isMerged: Bool, _ key: RecordKey) throws {
        let mark = isMerged ? SecondKeyContent.merged : SecondKeyContent.only
        try setValue(nameOfHeldBefore(key), [mark] + content.text)
    }

    /// The second key is gone.
    func forgetHeldBefore(_ key: RecordKey) throws {
        if try value(nameOfHeldBefore(key)) != nil { try removeValue(nameOfHeldBefore(key)) }
    }
}
