package import SyncModel

/// What this node tells the others: which tombstones it has applied, and that it is there.
extension CollectionMachine {
    var appliedName: String { appliedTombstonesName(rules.id) }
    private var announcedName: String { "announced.\(rules.id)" }
    private var announcedDeclarationName: String { "announcedDeclaration.\(rules.id)" }

    /// What this node, under this id, has announced last.
    mutating func loadAnnouncement<Book>(_ step: inout Step<Book>) throws {
        try loadTold(&step)
        let words = try step.book.text(announcedName)?.split(separator: " ", maxSplits: 4) ?? []
        guard words.count >= 3, words[0] == step.push.node.description, let mark = UInt64(words[1]),
            let at = UInt64(words[2])
        else { return }
        peers.announced = mark
        if words.count == 5 {
            peers.announcedCard = NodeCard(
                name: String(words[4]), version: String(words[3]),
                declaration: try step.book.text(announcedDeclarationName).flatMap { $0.isEmpty ? nil : $0 })
        }
        peers.announcedAgo = step.time.wall > at ? step.time.wall - at : 0
        peers.loadedAt = step.time.monotonic
    }

    /// Notes up to which time every tombstone is applied, in the transaction that has applied the last one.
    mutating func noteApplied<Book>(_ step: inout Step<Book>) throws {
        guard settings.keepsTombstones, let mark = lowWater(.tombstones(rules.id)), mark > peers.applied else { return }
        peers.applied = mark
        try step.book.setText(appliedName, String(mark))
    }

    /// When the next announcement is due, on the monotonic clock.
    func nextAnnouncement(_ time: MachineTime) -> UInt64 {
        guard let announced = peers.announced, peers.announcedCard == peers.card else { return peers.announceNotBefore }
        let pause = AnnouncementPause.after(hasNews: announced != peers.applied || peers.hasChanged, keep: time.keep)
        let due = peers.loadedAt + pause - min(peers.announcedAgo, pause)
        return max(due, peers.announceNotBefore)
    }

    mutating func announce<Book>(_ step: inout Step<Book>) {
        guard !peers.isAnnouncing, mayAnnounce, nextAnnouncement(step.time) <= step.time.monotonic else { return }
        peers.isAnnouncing = true
        peers.hasChanged = false
        var peer = RemotePeer(
            node: step.push.node.description, name: peers.card.name, version: peers.card.version,
            applied: [rules.id: peers.applied])
        peer.declared[rules.id] = peers.card.declaration
        peer.told[rules.id] = peers.told + 1
        send(.announce(peers.applied, peers.card), .announce(peer), &step)
    }

    mutating func announced<Book>(_ mark: UInt64, _ card: NodeCard, _ step: inout Step<Book>) throws {
        peers.isAnnouncing = false
        (peers.announced, peers.announcedCard) = (mark, card)
        (peers.loadedAt, peers.announcedAgo) = (step.time.monotonic, 0)
        try noteTold(&step)
        try step.book.setText(announcedName, "\(step.push.node) \(mark) \(step.time.wall) \(card.version) \(card.name)")
        let declaration = card.declaration ?? ""
        if try (step.book.text(announcedDeclarationName) ?? "") != declaration {
            try step.book.setText(announcedDeclarationName, declaration)
        }
    }

    /// Others may do without; it is tried again later, and nothing else waits for it.
    mutating func announcementFailed<Book>(_ error: RemoteError, _ step: inout Step<Book>) {
        (peers.isAnnouncing, peers.hasChanged) = (false, true)
        let isHopeless = error.code == .denied || error.code == .refused
        peers.announceNotBefore =
            step.time.monotonic + (isHopeless ? AnnouncementPause.longest : AnnouncementPause.shortest)
    }
}

/// The name of the value.
private func appliedTombstonesName(_ collection: CollectionID) -> String { "applied.\(collection)" }

extension RecordBook {
    /// The server's time up to which every tombstone of a collection is applied; 0 before the first.
    package func appliedTombstones(of collection: CollectionID) throws -> UInt64 {
        try text(appliedTombstonesName(collection)).flatMap { UInt64($0) } ?? 0
    }
}
