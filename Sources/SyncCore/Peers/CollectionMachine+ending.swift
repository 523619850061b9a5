internal import SyncModel

/// Ending tombstones: those that are old, and that every node has applied which was seen since. The horizon is raised above
/// them first, so that whoever does not know them any more knows at least that (`docs/protocol.md` section 11).
extension CollectionMachine {
    private static let hour: UInt64 = 3_600_000
    private static let delay: UInt64 = 10_000
    private static let pageOfTombstones = 100

    /// When tombstones are looked through next, on the monotonic clock; nil while there is none, that is under way, or
    /// the clocks can't agree.
    func nextEnding(_ time: MachineTime) -> UInt64? {
        // Nobody knows then what is old.
        guard !time.policy.isClockWrong else { return nil }
        guard settings.keepsTombstones else { return peers.collectNotBefore }
        guard peers.run == nil, time.serverIsKnown, let oldest = peers.oldest else { return nil }
        // Tombstones are written a little after they are stamped.
        let old = oldest.physical + time.keep + min(time.keep, CollectionMachine.delay)
        let now = time.policy.serverNow
        return max(peers.collectNotBefore, time.monotonic + (old > now ? old - now : 0))
    }

    mutating func endTombstones<Book>(_ step: inout Step<Book>) throws {
        if peers.run != nil { return try goOnEnding(&step) }
        guard isEndingDue(step.time) else { return }
        // The oldest may be gone since.
        try findOldest(&step)
        guard isEndingDue(step.time) else { return }
        peers.collectNotBefore = step.time.monotonic + CollectionMachine.hour
        peers.run = TombstoneRun()
        send(.peers, .peers, &step)
    }

    private func isEndingDue(_ time: MachineTime) -> Bool {
        nextEnding(time).map { $0 <= time.monotonic && !isStopped } ?? false
    }

    mutating func findOldest<Book>(_ step: inout Step<Book>) throws {
        peers.oldest = try step.book.tombstones(of: rules.id, after: nil, through: .highest, limit: 1).first?.stamp
    }

    mutating func heard<Book>(peers all: [RemotePeer], _ step: inout Step<Book>) throws {
        guard !step.time.policy.isClockWrong else { return try finishEnding(&step) }
        let limit = TombstoneLimit(
            of: rules.id, all, but: step.push.node, applied: peers.applied, now: step.time.policy.serverNow,
            keep: step.time.keep)
        peers.run?.limit = limit
        peers.run?.phase = .reading
        try goOnEnding(&step)
    }

    /// Asks for what is next, as far as the window of requests allows.
    private mutating func goOnEnding<Book>(_ step: inout Step<Book>) throws {
        while let run = peers.run, run.phase == .reading || run.phase == .removing {
            if run.next.isEmpty {
                guard run.open == 0 else { return }
                try nextPhase(run, &step)
                continue
            }
            guard requests.count < window.limit else { return }
            guard let id = peers.run?.next.popLast(), !inFlight.contains(id), hints[id] == nil else { continue }
            if run.phase == .reading {
                sendEnding(.readEnded(id), .read(id.description, .tombstones(rules.id)), id, &step)
            } else if let found = run.found.first(where: { $0.id == id }), try isOver(id, found.stamp, &step) {
                let call = RemoteCall.remove(id.description, .tombstones(rules.id), etag: found.etag)
                sendEnding(.removeEnded(id), call, id, &step)
            }
        }
    }

    private mutating func sendEnding<Book>(
        _ kind: Job.Kind, _ call: RemoteCall, _ id: RecordID, _ step: inout Step<Book>
    ) {
        inFlight.insert(id)
        peers.run?.open += 1
        send(kind, call, &step)
    }

    private mutating func nextPhase<Book>(_ run: TombstoneRun, _ step: inout Step<Book>) throws {
        if run.phase == .removing {
            peers.run?.phase = .reading
            peers.run?.found = []
        } else if let highest = run.highest {
            // What was known of it may have stood in a remote that was set back since.
            if run.horizon.map({ $0 >= highest }) ?? false { return beginRemoving() }
            peers.run?.phase = .horizon
            return send(.readHorizon, .horizon(rules.id), &step)
        }
        guard let limit = run.limit, !run.isBeyond else { return try finishEnding(&step) }
        var page = try candidates(writtenUpTo: limit.latest, run, &step)
        if page.isEmpty {
            // One that was set aside as from the future is stamped later than it was written: among the old ones that are
            // not known to be applied everywhere, some are looked at for that.
            peers.run?.isBeyond = true
            page = try candidates(writtenUpTo: limit.cutoff, run, &step)
        }
        guard let end = page.last else { return try finishEnding(&step) }
        peers.run?.after = end.stamp
        peers.run?.next = page.map(\.id).reversed()
    }

    private func candidates<Book>(
        writtenUpTo time: UInt64, _ run: TombstoneRun, _ step: inout Step<Book>
    ) throws -> [RowOfTombstone] {
        let last = Stamp(physical: time + step.time.policy.maxAhead, counter: 0, node: NodeID(0))
        return try step.book.tombstones(
            of: rules.id, after: run.after, through: last, limit: CollectionMachine.pageOfTombstones)
    }

    private mutating func beginRemoving() {
        guard var run = peers.run else { return }
        run.phase = .removing
        run.next = run.found.map(\.id).reversed()
        peers.run = run
    }

    /// Whether nothing is to be sent of a record any more, be it deleted, or alive again.
    private func isOver<Book>(_ id: RecordID, _ stamp: Stamp, _ step: inout Step<Book>) throws -> Bool {
        let stored = try step.book.record(key(id))
        let state = stored.state
        return stored.pending == .no && (state.remote == nil) == (state.view == nil) && state.tombstone?.stamp == stamp
    }

    // MARK: Answers

    mutating func readEnded<Book>(_ id: RecordID, _ entry: RemoteEntry, _ step: inout Step<Book>) throws {
        peers.run?.open -= 1
        if entry.isDoubtful { return try merge(tombstone: entry, id, &step) }
        let shown = readTombstone(entry, &step)
        guard case .tombstone(let found) = shown.value else { return try complete([id], &step) }
        guard let stamp = found?.tombstone.stamp else {
            peers.lost.insert(id)
            peers.wantsHorizon = true
            return try complete([id], &step)
        }
        guard try isOver(id, stamp, &step) else { return try merge(tombstone: entry, id, &step) }
        if var run = peers.run, let limit = run.limit, let time = shown.serverTime {
            if time > limit.latest {
                run.youngUntil = min(run.youngUntil ?? .max, time + step.time.keep)
            } else if let etag = shown.etag {
                run.found.append(.init(id: id, stamp: stamp, etag: etag))
            }
            peers.run = run
        }
        try complete([id], &step)
    }

    mutating func readHorizon<Book>(_ found: RemoteHorizon, _ step: inout Step<Book>) throws {
        try note(horizon: found.stamp, &step)
        guard let highest = peers.run?.highest else { return }
        if let stamp = found.stamp, stamp >= highest, stamp <= peers.horizon ?? .zero {
            peers.run?.horizon = stamp
            return beginRemoving()
        }
        guard let etag = found.etag, found.stamp ?? .zero < highest, !paused.contains(.push) else {
            return try finishEnding(&step)
        }
        let next = max(highest, peers.horizon ?? .zero)
        send(.raiseHorizon(next), .raiseHorizon(rules.id, to: next, etag: etag), &step)
    }

    /// A remote that was set back has a lower horizon than it had: it gets that again, for those who come from long ago.
    mutating func restoreHorizon<Book>(over found: RemoteHorizon, _ step: inout Step<Book>) {
        guard let known = peers.horizon, known > found.stamp ?? .zero, let etag = found.etag, peers.run == nil,
            !paused.contains(.push)
        else { return }
        send(.restoreHorizon, .raiseHorizon(rules.id, to: known, etag: etag), &step)
    }

    mutating func raisedHorizon<Book>(_ stamp: Stamp, _ isRaised: Bool, _ step: inout Step<Book>) throws {
        if isRaised {
            try note(horizon: stamp, &step)
            peers.run?.horizon = stamp
            return peers.horizon ?? .zero >= stamp ? beginRemoving() : try finishEnding(&step)
        }
        peers.run?.collisions += 1
        guard peers.run?.collisions ?? 0 < 5 else { return try finishEnding(&step) }
        send(.readHorizon, .horizon(rules.id), &step)
    }

    mutating func removedEnded<Book>(_ id: RecordID, _ outcome: WriteOutcome, _ step: inout Step<Book>) throws {
        peers.run?.open -= 1
        switch outcome {
        case .written:
            peers.run?.ended += 1
            inFlight.remove(id)
            try tombstoneIsGone(id, &step)
            try complete([id], &step)
        case .conflict(let entry): try merge(tombstone: entry, id, &step)
        }
    }

    // MARK: The end

    /// A request has failed: the rest waits for the next time.
    mutating func endingFailed<Book>(_ error: RemoteError, _ step: inout Step<Book>) throws {
        if error.code != .denied, error.code != .refused { backOff(error, &step) }
        try finishEnding(&step)
    }

    private mutating func finishEnding<Book>(_ step: inout Step<Book>) throws {
        guard let run = peers.run else { return }
        peers.run = nil
        try findOldest(&step)
        if let until = [run.youngUntil, run.limit?.waitsUntil].compactMap(\.self).min() {
            let now = step.time.policy.serverNow
            // Old enough, and not known to be applied: that is told by the next tombstone, or by nobody.
            let wait = until > now ? min(until - now + 1, CollectionMachine.day) : CollectionMachine.day
            peers.collectNotBefore = max(peers.collectNotBefore, step.time.monotonic + wait)
        }
        if run.ended > 0 { step.note(.tombstonesEnded(run.ended)) }
    }
}

extension TombstoneRun {
    /// The highest stamp of what may end.
    fileprivate var highest: Stamp? { found.map(\.stamp).max() }
}
