internal import SyncModel

/// What the machine asks and tells the other nodes: it goes beside the records, and holds none of them up.
extension CollectionMachine {
    /// Asks for what has become due.
    mutating func askPeers<Book>(_ step: inout Step<Book>) throws {
        guard settings.keepsTombstones else { return try forgetByAge(&step) }
        askForHorizon(&step)
        askForOwnEntry(&step)
        guard mayPush, !paused.contains(.push), !peers.isAway else { return }
        announce(&step)
        try endTombstones(&step)
    }

    /// The moments of the monotonic clock at which something is due by itself.
    func peerMoments(_ time: MachineTime) -> [UInt64] {
        guard mayPush else { return [] }
        var moments = [nextEnding(time)].compactMap(\.self)
        if settings.keepsTombstones, !peers.isAnnouncing, mayAnnounce { moments.append(nextAnnouncement(time)) }
        return moments.filter { $0 > time.monotonic }
    }

    /// An answer to one of these requests; false where it is none.
    mutating func answeredByPeers<Book>(
        _ kind: Job.Kind, _ answer: Answer, _ step: inout Step<Book>
    ) throws -> Bool {
        switch (kind, answer) {
        case (.askHorizon, .horizon(let found)) where found.stamp == nil && found.etag == nil:
            return try failedByPeers(kind, .noETag("the horizon"), &step)
        case (.askHorizon, .horizon(let found)):
            peers.horizonIsReadable.wasAnswered()
            peers.horizonIsHidden = false
            try heard(horizon: found.stamp, &step)
            restoreHorizon(over: found, &step)
        case (.askOwnEntry(let snapshot, let told), .peers(let all)):
            peers.entriesAreReadable.wasAnswered()
            try heard(entries: all, snapshot: snapshot, told: told, &step)
        case (.announce(let mark, let card), .done): try announced(mark, card, &step)
        case (.peers, .peers(let all)): try heard(peers: all, &step)
        case (.readEnded(let id), .entry(let entry)): try readEnded(id, entry, &step)
        case (.readHorizon, .horizon(let found)): try readHorizon(found, &step)
        case (.raiseHorizon(let stamp), .raised(let isRaised)): try raisedHorizon(stamp, isRaised, &step)
        case (.restoreHorizon, .raised): break
        case (.removeEnded(let id), .outcome(let outcome)): try removedEnded(id, outcome, &step)
        default: return false
        }
        return true
    }

    /// One of these requests has failed; false where it is none.
    mutating func failedByPeers<Book>(
        _ kind: Job.Kind, _ error: RemoteError, _ step: inout Step<Book>
    ) throws -> Bool {
        switch kind {
        case .askHorizon:
            if peers.horizonIsReadable.isHidden(after: error) {
                peers.horizonIsHidden = true
                try heard(horizon: nil, &step)
            } else {
                peers.asksHorizon = false
                peers.wantsHorizon = true
                backOff(error, &step)
            }
        case .askOwnEntry(let snapshot, _): try ownEntryFailed(error, snapshot: snapshot, &step)
        case .announce: announcementFailed(error, &step)
        case .peers, .readHorizon, .raiseHorizon: try endingFailed(error, &step)
        case .restoreHorizon:
            guard error.code != .denied, error.code != .refused else { break }
            peers.wantsHorizon = true
            backOff(error, &step)
        case .readEnded(let id), .removeEnded(let id):
            try endingFailed(error, &step)
            try complete([id], &step)
        default: return false
        }
        return true
    }
}
