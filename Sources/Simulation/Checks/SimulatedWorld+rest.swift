internal import FirebaseWire
internal import JSONText
internal import SyncCore
internal import SyncModel

/// The end of a run: no more faults, all clocks right, every hold decided; then everything must come to rest and be equal.
extension SimulatedWorld {
    /// How long coming to rest may take, in milliseconds.
    static let patience: UInt64 = 2 * 3_600_000
    private static let pause: UInt64 = 5000

    func rest() {
        tell("--- faults end")
        for node in nodes {
            node.network.weather.clear()
            node.crashIn = nil
            node.skew = 0
        }
        timeline.run(until: timeline.now + 120_000, while: { isSound })
        for node in nodes { node.start() }
        cleanRemote()
        letTheFutureCome()
        settle()
        if isSound, nodes.allSatisfy(\.isDone) {
            // Where nothing tells of deletes, the daily comparison of the keys does: no stream shows a tombstone that an old
            // copy of the database has brought back, nor what is removed because of it.
            let isBlind = settings.pull == .incremental && (!settings.keepsTombstones || wasSetBack)
            if isBlind { timeline.run(until: timeline.now + 25 * 3_600_000, while: { isSound }) }
            // Where nothing tells a record that was deleted from one that went back with the database, only `verify` finds
            // what else did.
            if settings.pull == .incremental, !settings.keepsTombstones, wasSetBack { repair() }
            // Else before a day passes, after which some things are looked at anew.
            checkEquality()
            checkVerification()
            letTombstonesEnd()
        }
        guard isSound else { return }
        tell("--- at rest")
        if let restless = nodes.first(where: { !$0.isDone }) {
            report(.convergence, "node\(restless.index) does not come to rest: \(restless.whatIsLeft)")
        }
    }

    /// People decide what waits for them, until nothing is left.
    private func settle() {
        for _ in 0..<12 where isSound {
            for node in nodes {
                node.take([.paused([]), .retryNow])
                node.retryQuarantined()
                node.readJournal()
                for _ in 0..<20 where node.isUp && isSound {
                    decide(on: node, approve: random.chance(50))
                }
            }
            if isSound, comesToRest(within: SimulatedWorld.patience), nodes.allSatisfy(\.isDone) { break }
        }
    }

    /// Both sides are compared on each node, and made equal.
    private func repair() {
        for node in nodes where isSound {
            node.verify(repair: true)
            timeline.run(until: timeline.now + SimulatedWorld.pause, while: { isSound })
            settle()
        }
    }

    /// A comparison finds nothing where nothing differs.
    private func checkVerification() {
        for node in nodes where isSound {
            var found: SimulatedNode.Differences?
            node.verify(repair: false) { found = $0 }
            timeline.run(until: timeline.now + SimulatedWorld.pause, while: { isSound && found == nil })
            let differences = found?.filter { $0.finding != .strayKey }
            if differences != [] {
                let words = differences?.map { "\($0.key.prefix(8)): \($0.finding)" } ?? ["nothing is told"]
                report(.convergence, "verify on node\(node.index): \(words.joined(separator: ", "))")
            }
        }
    }

    /// An app, or a person, takes away what no node can read.
    private func cleanRemote() {
        for key in database.keys(in: .records(rules.id)) {
            let path = SimulatedDatabase.path(of: key, in: .records(rules.id))
            var fields = database.value(at: path).members ?? [:]
            if rules.recordID(of: key) != nil, SimulatedFilms.isReadable(fields) { continue }
            if rules.recordID(of: key) != nil, fields["title"]?.text != nil {
                fields["hasWatched"] = true
                try? database.write(
                    [.init(path: path, body: JSONWriter.text(.object(fields)))], by: .app(0), now: timeline.now)
            } else {
                try? database.write([.init(path: path, body: nil)], by: .app(0), now: timeline.now)
            }
        }
    }

    /// Where a stamp is in the future, the machines are switched off until it is not.
    private func letTheFutureCome() {
        let latest =
            nodes.map(\.glimpse.clock.physical) + history.lastStamps.values.map(\.physical) + timesOfDeletes
            + nodes.flatMap { $0.glimpse.holds.compactMap(\.until) }
        guard let last = latest.max(), last > timeline.now else { return }
        tell("--- the future comes")
        for node in nodes { node.crash(restartAfter: nil) }
        timeline.leap(to: last + 1000)
        for node in nodes { node.start() }
    }

    /// Of the tombstones that the remote has: perhaps no node is left whose clock was there.
    private var timesOfDeletes: [UInt64] {
        database.entries(in: .tombstones(rules.id)).compactMap { entry in
            if case .tombstone(let stamp, _) = entry.value { stamp.physical } else { nil }
        }
    }

    /// Whether nothing is asked for, and nothing changes, for a while.
    private func comesToRest(within patience: UInt64) -> Bool {
        let end = timeline.now + patience
        var quiet = 0
        while timeline.now < end, isSound {
            let before = (checks.total, database.writesBesideAnnouncements)
            timeline.run(until: timeline.now + SimulatedWorld.pause, while: { isSound })
            quiet =
                before == (checks.total, database.writesBesideAnnouncements) && nodes.allSatisfy(\.isQuiet)
                ? quiet + 1 : 0
            if quiet == 3 { return true }
        }
        return false
    }

    /// Nothing may happen any more, for a long time.
    func checkIdle() {
        func requests() -> Int { checks.total - checks.comparisons }
        let before = (requests(), database.writesBesideAnnouncements)
        timeline.run(until: timeline.now + 3 * 3_600_000, while: { isSound })
        let after = (requests(), database.writesBesideAnnouncements)
        // Once a day the nodes are asked for, and such a tombstone is looked at.
        let looks = nodes.count * (lateTombstones == 0 ? 0 : 1 + lateTombstones)
        if after.1 != before.1 || after.0 - before.0 > looks {
            report(.idle, "\(after.0 - before.0) requests and \(after.1 - before.1) writes while nothing happened")
        }
    }
}

extension SimulatedNode {
    /// Whether nothing is under way.
    var isQuiet: Bool { machine.map { $0.mayPush && !$0.isBusy && $0.unconfirmed == 0 && $0.isSettled } ?? false }

    /// Whether nothing is left to do.
    var isDone: Bool { isQuiet && glimpse.counts.pending == 0 && glimpse.holds.isEmpty && !hasUnreadLines }

    var whatIsLeft: String {
        let machine =
            machine.map { "may push \($0.mayPush), busy \($0.isBusy), unconfirmed \($0.unconfirmed)" } ?? "down"
        return "\(machine), pending \(glimpse.counts.pending), holds \(glimpse.holds.map(\.word)), "
            + "quarantine \(glimpse.quarantined.map(\.defect.message))"
    }
}
