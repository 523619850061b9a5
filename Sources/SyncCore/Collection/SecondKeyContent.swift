internal import JSONText
internal import SyncModel

/// What a second key held when it was the only one, or was merged last.
struct SecondKeyContent: Sendable {
    /// What has become of it, by its letter in the book.
    enum Mark: Character {
        /// It was the only one.
        case only = "o"
        case merged = "m"
        /// Merged, and the remote does not let the key be removed.
        case stays = "s"
    }

    var content: Content
    var mark: Mark

    /// What of it is no edit over the record's own key: what was merged before, or what an app has written after it.
    func content(beside own: RemoteSnapshot?) -> Content? { mark != .only || own?.stamp == nil ? content : nil }
}

/// It stands in the book until the second key is gone: what was merged once would be an edit made now after a restart.
extension RecordBook {
    private func nameOfHeldBefore(_ key: RecordKey) -> String { "secondKey.\(key.collection).\(key.id)" }

    /// What the second key of a record held; nil where nothing is known of one.
    func heldBefore(_ key: RecordKey) throws -> SecondKeyContent? {
        guard let text = try value(nameOfHeldBefore(key)), let letter = text.first,
            let mark = SecondKeyContent.Mark(rawValue: Character(Unicode.Scalar(letter)))
        else { return nil }
        return SecondKeyContent(content: Content(canonicalText: Array(text.dropFirst())), mark: mark)
    }

    func setHeldBefore(_ content: Content, _ mark: SecondKeyContent.Mark, _ key: RecordKey) throws {
        try setValue(nameOfHeldBefore(key), Array(String(mark.rawValue).utf8) + content.text)
    }

    /// The remote does not let the second key be removed: what it holds stays there.
    func noteHeldBeforeStays(_ key: RecordKey) throws {
        if let held = try heldBefore(key) { try setHeldBefore(held.content, .stays, key) }
    }

    /// What is read of a record may be what a second key has held all the time.
    func noteHeldBefore(_ reading: inout Reading, _ key: RecordKey) throws {
        guard case .foreign(var body) = reading, let held = try heldBefore(key), held.mark == .stays else { return }
        body.isHeldBefore = held.content == body.content
        reading = .foreign(body)
    }

    /// The second key is gone: one that appears from now on is a new one.
    func forgetHeldBefore(_ key: RecordKey, where isGone: (SecondKeyContent.Mark) -> Bool = { _ in true }) throws {
        if let held = try heldBefore(key), isGone(held.mark) { try removeValue(nameOfHeldBefore(key)) }
    }
}
