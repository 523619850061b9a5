internal import JSONText
package import SyncModel

/// What an event or an answer showed under a record's key, in the words of its collection.
package enum Reading: Hashable, Sendable {
    case absent
    case stamped(AdmittedVersion)
    /// A body without a stamp.
    case foreign(ForeignBody)
}

/// What an app without stamps wrote, read with care.
package struct ForeignBody: Hashable, Sendable {
    /// The fields that the app names.
    package var named: [String: JSONValue]
    /// Those of ``named`` that the app itself can have written; nil for all.
    package var written: [String: JSONValue]?
    /// The version that the app had read, where that is older than the base's: it has seen no edit above it.
    var seen: Stamp?
    /// Whether this node does not know that version: an edit of another node's may be in it.
    var isOfUnknown = false
    /// The stamps of those of them that an edit has set which this node has never seen, unless the app changed them: both
    /// count as right after that edit, above it and below every later one.
    var unseen: [String: Stamp] = [:]
    /// The sets among ``written`` as the app had read them in that version: what it has added and removed shows against that.
    var setsRead: [String: JSONValue?] = [:]
    /// Whether a second key held just this when it was merged, and could not be removed: no edit of what has ended since.
    var isHeldBefore = false
    /// The defaults of those that it does not name.
    package var defaults: [String: JSONValue]
    /// Whether all is there that other apps expect, spelled as they expect it.
    package var isComplete: Bool

    package init(named: [String: JSONValue], defaults: [String: JSONValue] = [:], isComplete: Bool = true) {
        self.named = named
        self.defaults = defaults
        self.isComplete = isComplete
    }

    /// The same without some of its fields.
    func without(_ names: some Collection<String>) -> ForeignBody {
        var body = self
        body.named = named.filter { !names.contains($0.key) }
        body.written = written?.filter { !names.contains($0.key) }
        return body
    }

    /// What it says to a reader who knows nothing else of the record.
    var content: Content { Content(fields: defaults.merging(named) { _, named in named }) }
}

extension Reading {
    /// The stamp that the body carries.
    package var stamp: Stamp? { if case .stamped(let version) = self { version.stamp } else { nil } }

    /// The same, found under another key than the record has: who wrote it without stamps may have seen nothing of that.
    var elsewhere: Reading {
        guard case .foreign(var body) = self else { return self }
        body.seen = .zero
        return .foreign(body)
    }

    /// Whether it carries none, and is there.
    var isForeign: Bool { if case .foreign = self { true } else { false } }
}
