internal import SyncModel

/// What this node's own entry in the remote says, beside the last snapshot of the records.
enum OwnEntry: Hashable, Sendable {
    case unread
    case asked
    /// - Parameter isOlder: it says less than this node has told: the remote was set back to an older state.
    case read(isOlder: Bool)
}

/// Each node counts how often it has told the others of a collection. Nobody else writes that: where its entry says less than
/// it has told, the remote was set back to an older state, and what is missing there was not deleted
/// (`docs/protocol.md` section 6).
extension CollectionMachine {
    private var toldName: String { "told.\(rules.id)" }

    /// What this node, under this id, has told at this place.
    mutating func loadTold<Book>(_ step: inout Step<Book>) throws {
        let text = try step.book.text(toldName) ?? ""
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == step.push.node.description, words[2] == settings.place else { return }
        peers.told = UInt64(words[1]) ?? 0
    }

    /// It was told once more. That is what stands there, where all was compared before; a stream that was cut meanwhile has a
    /// question of its own.
    mutating func noteTold<Book>(_ step: inout Step<Book>) throws {
        if streams[.records(rules.id)]?.phase == .live, knowsOwnEntry { peers.ownEntry = .read(isOlder: false) }
        peers.told += 1
        try step.book.setText(toldName, "\(step.push.node) \(peers.told) \(settings.place)")
    }

    /// Whether it is known if the remote was set back, as far as this node can know.
    var knowsOwnEntry: Bool {
        guard settings.keepsTombstones, peers.told > 0 else { return true }
        if case .read = peers.ownEntry { return true }
        return false
    }

    /// Nothing is told while that would hide an older state from this node: before all of it is compared.
    var mayAnnounce: Bool {
        streams[.records(rules.id)]?.phase == .live && knowsOwnEntry && completeSnapshot == nil && !isComparing
    }

    /// The records are shown anew, or the stream is no more: what was read belongs to what was shown before.
    mutating func forgetOwnEntry() {
        peers.ownEntry = .unread
        peers.snapshots += 1
    }

    /// A stream begins to show the records that are there.
    mutating func showsAnew<Book>(_ step: inout Step<Book>) throws {
        forgetOwnEntry()
        if streams[.records(rules.id)]?.isWhole == true { try step.book.forgetUnlisted(of: rules.id) }
    }

    /// Asks what stands there, once a stream of the records is live.
    mutating func askForOwnEntry<Book>(_ step: inout Step<Book>) {
        guard !knowsOwnEntry, peers.ownEntry == .unread, !paused.contains(.pull),
            streams[.records(rules.id)]?.phase == .live
        else { return }
        peers.ownEntry = .asked
        send(.askOwnEntry(snapshot: peers.snapshots, told: peers.told), .peers, &step)
    }

    /// - Parameters:
    ///   - all: the entries of all nodes; nil where this node may not know.
    ///   - told: what was told when that was asked; what was told since may not be in it.
    mutating func heard<Book>(
        entries all: [RemotePeer]?, snapshot: Int, told: UInt64, _ step: inout Step<Book>
    ) throws {
        guard peers.snapshots == snapshot else { return }
        let own = all?.first { $0.node == step.push.node.description }
        let isOlder = own.map { tells($0, lessThan: told) } ?? false
        peers.ownEntry = .read(isOlder: isOlder)
        if isOlder { try entryIsOlder(&step) }
        if !peers.wantsHorizon, !peers.asksHorizon, streams[.tombstones(rules.id)]?.phase == .live {
            try settleUnshown(&step)
        }
        try processMissing(&step)
        try retryUnknownRecords(&step)
    }

    /// Whether less was told there than this node has told. Where nothing was told of the collection, somebody has removed the
    /// entry, and another collection has told anew.
    private func tells(_ own: RemotePeer, lessThan told: UInt64) -> Bool {
        guard own.told[rules.id] != nil || own.applied[rules.id] != nil else { return false }
        return own.told[rules.id] ?? 0 < told
    }

    /// It was not read: it is asked for again, and waited for, as long as it may be readable.
    mutating func ownEntryFailed<Book>(_ error: RemoteError, snapshot: Int, _ step: inout Step<Book>) throws {
        guard peers.snapshots == snapshot else { return }
        if peers.entriesAreReadable.isHidden(after: error) {
            return try heard(entries: nil, snapshot: snapshot, told: 0, &step)
        }
        peers.ownEntry = .unread
        backOff(error, &step)
    }

    /// All is compared: from now on what is missing is so since. The others are told, so that the entry says so, too.
    mutating func endDoubt() {
        guard peers.ownEntry == .read(isOlder: true) else { return }
        peers.ownEntry = .read(isOlder: false)
        peers.announced = nil
    }
}
