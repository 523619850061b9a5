internal import SyncModel

/// The records that must be read, each with why.
struct Hints: Sendable {
    private var hints: [RecordID: Hint] = [:]
    /// Those of which a second key is to be looked at.
    private(set) var withSecondKey: Set<RecordID> = []
    /// Further keys of theirs, each to be looked at when the one before it is done.
    private var furtherKeys: [RecordID: [SecondKey]] = [:]

    /// How many there were when they were looked through for a page in vain.
    private var countWithoutPage: Int?

    var count: Int { hints.count }
    var isEmpty: Bool { hints.isEmpty }
    var ids: some Collection<RecordID> { hints.keys }

    subscript(id: RecordID) -> Hint? {
        get { hints[id] }
        set {
            hints[id] = newValue
            if newValue?.duplicateKey == nil { withSecondKey.remove(id) } else { withSecondKey.insert(id) }
        }
    }

    /// Those that only a push needs.
    var onlyForPushes: [RecordID] { hints.filter { $0.value.isOnlyForPush }.keys.sorted() }

    mutating func add(_ hint: Hint, to id: RecordID) {
        var all = hints[id] ?? hint
        if let known = all.duplicateKey, let new = hint.duplicateKey, known != new {
            addFurther(SecondKey(id: id, key: known, floors: all.floors))
        }
        all.add(hint)
        self[id] = all
    }

    private mutating func addFurther(_ key: SecondKey) {
        let known = furtherKeys[key.id, default: []]
        furtherKeys[key.id] = known.filter { $0.key != key.key } + [key]
    }

    /// Gives a further key of a record, where there is one; it is no such key any more then.
    mutating func takeFurtherKey(of id: RecordID) -> SecondKey? {
        guard let key = furtherKeys[id]?.popLast() else { return nil }
        if furtherKeys[id]?.isEmpty == true { furtherKeys[id] = nil }
        return key
    }

    /// Whether it is worth the time to look through all of them for a page: not again before many have come or gone.
    var mayFillPage: Bool { countWithoutPage.map { count >= 2 * $0 || 2 * count <= $0 } ?? true }

    mutating func noteNoPage() { countWithoutPage = count }

    /// What the cursor of a keyspace must not pass.
    func floor(of keyspace: Keyspace) -> UInt64? {
        let ofHints = hints.values.lazy.compactMap { $0.floors[keyspace] }.min()
        let ofFurther = furtherKeys.values.lazy.joined().compactMap { $0.floors[keyspace] }.min()
        return [ofHints, ofFurther].compactMap(\.self).min()
    }

    /// The cursor of a keyspace waits for all of these.
    mutating func holdBack(_ keyspace: Keyspace) {
        for id in hints.keys { hints[id]?.floors[keyspace] = 0 }
        for id in furtherKeys.keys {
            for place in furtherKeys[id, default: []].indices { furtherKeys[id]?[place].floors[keyspace] = 0 }
        }
    }
}

/// A record that must be read, and why an answer may be counted.
struct Hint: Sendable {
    /// A second key for the same UUID, to be merged and removed.
    var duplicateKey: String?
    /// The record is to be read under its own key; not where only a second one is to be looked at.
    var readsOwnKey = true
    /// Its disappearance has been counted, and is within the limit of deletes.
    var counted = false
    /// It was acknowledged, and not shown since: where it is gone, and the remote looks as if it was set back, nobody has
    /// deleted it.
    var isUnechoed = false
    /// The remote has looked so when it did not show it.
    var looksSetBack = false
    /// Read for its ETag, which the next write needs.
    var needsETag = false
    /// Only a push needs it: nothing was shown that must be looked at.
    var isOnlyForPush = false
    /// Its tombstone is to be read also where the record is there.
    var looksAtTombstone = false
    /// Read to see what an app has made of it, before it is known whether that may be taken.
    var onlyCompares = false
    /// Not in a page: one has shown nothing at all.
    var isReadAlone = false
    /// What its stream's cursor must not pass before it is answered, per keyspace.
    var floors: [Keyspace: UInt64] = [:]

    /// A second key for a record's UUID is to be looked at.
    static func second(_ second: SecondKey) -> Hint {
        Hint(duplicateKey: second.key, readsOwnKey: false, floors: second.floors)
    }

    mutating func add(_ other: Hint) {
        duplicateKey = other.duplicateKey ?? duplicateKey
        readsOwnKey = readsOwnKey || other.readsOwnKey
        counted = counted || other.counted
        isUnechoed = isUnechoed || other.isUnechoed
        looksSetBack = looksSetBack || other.looksSetBack
        needsETag = needsETag || other.needsETag
        looksAtTombstone = looksAtTombstone || other.looksAtTombstone
        isReadAlone = isReadAlone || other.isReadAlone
        onlyCompares = onlyCompares && other.onlyCompares
        isOnlyForPush = isOnlyForPush && other.isOnlyForPush
        floors.merge(other.floors, uniquingKeysWith: min)
    }
}

/// A second key for the UUID of a record, which is read, merged and removed.
struct SecondKey: Sendable {
    var id: RecordID
    var key: String
    /// What its stream's cursor must not pass before that is done, per keyspace.
    var floors: [Keyspace: UInt64] = [:]
}
