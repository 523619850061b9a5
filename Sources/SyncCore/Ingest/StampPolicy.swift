package import SyncModel

/// Which stamp a journal operation gets (the table in `docs/protocol.md` section 3).
package struct StampPolicy: Hashable, Sendable {
    /// Where a line stood when it was read.
    package enum Origin: Hashable, Sendable {
        /// Appended while the daemon was watching.
        case live
        /// Already there when the daemon started; the file was modified at this time (milliseconds since 1970), see
        /// ``StampPolicy/origin(isBacklog:isReplayed:modified:)``.
        case backlog(modified: UInt64)
        /// Already there when a daemon with a new or restored state started: its time is unknown.
        case replayed
    }

    package enum Stamping: Hashable, Sendable {
        case stamp(Stamp)
        /// The operation is from further in the future than allowed: by this many milliseconds after now.
        case future(milliseconds: UInt64)
    }

    /// This machine's clock, milliseconds since 1970.
    package var wall: UInt64
    /// Server's time minus this machine's, milliseconds.
    package var offset: Int64
    /// Milliseconds.
    package var maxAhead: UInt64
    /// Whether a person has approved that the server's clock counts while the two can't agree.
    package var trustsServer = false
    /// Whether the server has said what time it has.
    package var serverIsKnown = true

    package init(wall: UInt64, offset: Int64, maxAhead: UInt64, serverIsKnown: Bool = true) {
        self.serverIsKnown = serverIsKnown
        self.wall = wall
        self.offset = offset
        self.maxAhead = maxAhead
    }

    /// The server's time now.
    package var serverNow: UInt64 { UInt64(max(0, Int64(wall) + offset)) }

    /// Whether a time is further in the future than `clock.maxAhead`.
    package func isFuture(_ time: UInt64) -> Bool { time > serverNow + maxAhead }

    /// Whether this machine's clock is off by more than `clock.maxAhead`: what it would stamp can't be trusted.
    package var isClockWrong: Bool { offset.magnitude > maxAhead }

    /// What stamps are made from: this machine's clock. While it can't agree with the server's, the one that is behind, for a
    /// stamp that is ahead of the time stays so for good, and with it all that this node stamps later; or the server's, where
    /// a person has approved that.
    package var stampTime: UInt64 {
        guard isClockWrong else { return wall }
        return trustsServer ? serverNow : min(wall, serverNow)
    }

    /// What ages are reckoned by; nil before the server has said what time it has, for this machine's clock may be far ahead:
    /// until then nothing is too old to be kept.
    package var ageTime: UInt64? { serverIsKnown ? stampTime : nil }

    /// Where a line stands.
    ///
    /// - Parameters:
    ///   - isBacklog: it was there before anybody watched.
    ///   - isReplayed: what was there when the state was made is not all read yet.
    ///   - modified: when its file was, as this machine's clock says, in milliseconds since 1970.
    package func origin(isBacklog: Bool, isReplayed: Bool, modified: UInt64) -> Origin {
        guard isBacklog else { return .live }
        guard !isReplayed else { return .replayed }
        return .backlog(modified: isClockWrong ? UInt64(max(0, Int64(modified) + offset)) : modified)
    }

    /// When a line that was read now was made, in milliseconds since 1970; nil where that is unknown.
    func madeAt(_ origin: Origin) -> UInt64? {
        switch origin {
        case .live: stampTime
        case .backlog(let modified): min(modified, serverNow)
        case .replayed: nil
        }
    }

    /// Decides the stamp of an edit with the time `at`, of a record that is in `state`, and advances the clock.
    package func stamp(
        at: UInt64?, origin: Origin, state: RecordState, clock: inout HybridClock
    ) -> Stamping {
        if let at, isFuture(at) { return .future(milliseconds: at - serverNow) }
        switch (origin, at) {
        case (.live, nil): return .stamp(now(over: state, &clock))
        case (.live, let at?) where at + maxAhead > serverNow: return .stamp(now(over: state, &clock))
        case (_, let at?): return .stamp(placed(at: min(at, serverNow), state, &clock))
        case (.backlog(let modified), nil): return .stamp(placed(at: min(modified, serverNow), state, &clock))
        case (.replayed, nil): return .stamp(unknownTime(state, clock))
        }
    }

    /// Above everything this node has seen, the version that is edited included: the stamp of one with an unknown time
    /// never went through the clock.
    package func now(over state: RecordState, _ clock: inout HybridClock) -> Stamp {
        for stamp in [state.stamp, state.known.fields?.newest, state.known.deletion, state.ownStamp] {
            if let stamp { clock.receive(stamp) }
        }
        return clock.now(wall: stampTime)
    }

    /// The time itself, but above this node's own previous edit of the record: journal order is causal.
    private func placed(at time: UInt64, _ state: RecordState, _ clock: inout HybridClock) -> Stamp {
        var stamp = Stamp(physical: time, counter: 0, node: clock.node)
        if let own = state.ownStamp, stamp <= own { stamp = HybridClock.evenReading(above: own, node: clock.node) }
        stamp = state.unused(stamp)
        clock.receive(stamp)
        return stamp
    }

    /// Above what this state held before, below whatever others did since, also where that was read before the line. Where an
    /// update of a record that is gone has such a stamp already, and waits, the next one goes above it. Like all that is
    /// derived it has an odd counter, so that it is never the stamp that a clock has given to another's edit.
    private func unknownTime(_ state: RecordState, _ clock: HybridClock) -> Stamp {
        if let own = state.ownStamp, own.node == clock.node {
            return state.unused(HybridClock.evenReading(above: own, node: clock.node))
        }
        let held = state.stamps.filter { stamp in clock.began.map { stamp <= $0 } ?? true }.max()
        // Its own edits before it, read again or not, are below it.
        guard let last = [held, state.ownStamp].compactMap(\.self).max() else {
            var first = Stamp(physical: 1, counter: 0, node: clock.node)
            while state.isGiven(first) { first = first.successor }
            return first
        }
        var stamp = last.successor
        while state.isGiven(stamp) || !stamp.isCountedUp { stamp = stamp.successor }
        return stamp
    }
}

extension RecordState {
    /// `stamp`, or, where something of the record has it already, one above all that is known: a stamp is given once.
    /// What an app wrote over this node's edit, and this node dated, may have been given the next one.
    fileprivate func unused(_ stamp: Stamp) -> Stamp {
        guard isGiven(stamp) else { return stamp }
        let highest = (stamps + [self.stamp].compactMap(\.self)).max() ?? stamp
        return HybridClock.evenReading(above: highest, node: stamp.node)
    }

    /// All stamps of what is known of the record, whoever gave them. Not that of the version: what was made just now of edits
    /// that are read again has one of now.
    fileprivate var stamps: [Stamp] {
        let fields = known.fields?.stamps
        let single = [fields?.common, known.deletion].compactMap(\.self)
        return single + (fields.map { Array($0.named.values) } ?? []) + (observed?.stamps ?? [])
    }

    /// Whether something of the record has this stamp.
    fileprivate func isGiven(_ stamp: Stamp) -> Bool { self.stamp == stamp || stamps.contains(stamp) }
}
