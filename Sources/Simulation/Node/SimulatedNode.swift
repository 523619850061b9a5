internal import FirebaseWire
internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

/// One daemon of a run: the real machine, merge and store in a shell that performs effects in simulated time.
///
/// A commit that fails drops the machine, and the next one begins with what was committed; so does a crash.
final class SimulatedNode {
    struct Crash: Error {}

    let index: Int
    unowned let world: SimulatedWorld
    let network: SimulatedNetwork
    var journal = SimulatedJournal()
    var state: StateInMemory
    /// Where the state lives: another word makes it a restored one.
    var identity: String
    /// Of an earlier time; put back by the fault `restored`.
    var backup: StateInMemory?
    var backupAt: UInt64 = 0

    private(set) var store: LocalStore?
    private(set) var machine: CollectionMachine?
    var journalMachine = JournalMachine()
    /// Rises with every start and stop; what was under way for another one is too late.
    private(set) var epoch = 0
    private var streams: [Keyspace: SimulatedStream] = [:]
    private var wakeAt: UInt64?
    var isLookingAtDeadlines = false
    var isWatchingQuarantine = false
    var deadlines = Deadlines()
    var random: SimulatedRandom
    private var offset = ClockOffset()

    /// This machine's clock minus the true time, in milliseconds.
    var skew: Int64 = 0
    /// After how many more effects it crashes; nil: not at all.
    var crashIn: Int?
    /// Where the lines that were there at the start end.
    var backlogEnd = SimulatedJournal.Place(file: 0, offset: 0)
    /// What was decided last in this life about a journal that was rewritten.
    var lastAnswer: JournalAnswer?
    /// A person's decision is being carried out.
    var isDeciding = false
    /// The time will be asked for.
    var isProbing = false
    /// How often the time was asked for since edits wait for the clocks to agree.
    var looks = 0
    /// The next line comes in two pieces.
    var tearsNextLine = false
    /// An old state was put back.
    var wasRestored = false
    var glimpse = NodeGlimpse()

    init(_ index: Int, _ world: SimulatedWorld, _ network: SimulatedNetwork, _ random: SimulatedRandom) throws {
        self.index = index
        self.world = world
        self.network = network
        self.random = random
        identity = "machine\(index)"
        state = try StateInMemory()
    }

    var timeline: Timeline { world.timeline }
    var isUp: Bool { store != nil }
    var wall: UInt64 { UInt64(max(0, Int64(timeline.now) + skew)) }
    var policy: StampPolicy {
        StampPolicy(
            wall: wall, offset: offset.milliseconds(wall: Int64(wall), steady: Int64(timeline.now)) ?? 0,
            maxAhead: isMutated(.futureIsAdmitted) ? 1 << 50 : 60_000, serverIsKnown: serverIsKnown)
    }

    /// Whether the server has said what time it has.
    var serverIsKnown: Bool { offset.isKnown }

    func isMutated(_ mutation: SimulatedMutation) -> Bool { world.settings.mutation == mutation }

    /// What the pace of deletes goes by.
    var monotonic: UInt64 { isMutated(.windowByWallClock) ? wall : timeline.now }

    var time: MachineTime {
        var time = MachineTime(
            monotonic: timeline.now, policy: policy, serverIsKnown: serverIsKnown, random: random.fraction(),
            keep: isMutated(.endsAtOnce) ? 0 : world.settings.keep)
        if isMutated(.cursorFromLocalClock) {
            time.serverIsKnown = true
            // As if nothing were taken off for a proxy whose clock is ahead, either.
            time.policy.offset = Int64(time.policy.maxAhead)
        }
        return time
    }

    // MARK: Life

    /// Few records fill the levels of their index.
    private static let limits = StoreLimits(recordLevels: [3, 9])

    func start() {
        guard store == nil else { return }
        epoch += 1
        (isProbing, looks) = (false, 0)
        do {
            let opened = try LocalStore(
                state, identity: identity, newNode: world.newNodeID(), limits: SimulatedNode.limits)
            store = opened
            journalMachine = JournalMachine(isReplaying: opened.timeOfBacklogUnknown)
            world.tell("node\(index) starts as \(opened.node) run \(opened.run)")
            try began(opened)
        } catch {
            world.report(.crashed, "node\(index): \(error)")
        }
    }

    private func began(_ opened: LocalStore) throws {
        let settings = world.settings
        offset = ClockOffset()
        lastAnswer = nil
        noteBacklog()
        let (first, records) = try opened.writeNow { transaction in
            (
                try NodeGlimpse(of: transaction, after: nil),
                try transaction.page(of: world.rules.id, after: nil, limit: 1000)
            )
        }.result
        glimpse = first
        world.history.views[index] = Dictionary(
            uniqueKeysWithValues: records.compactMap { record in
                record.state.view.map { (record.state.key.id, $0.fields) }
            })
        machine = CollectionMachine(
            world.rules,
            MachineSettings(
                pull: settings.pull, writeGuard: settings.writeGuard, keepsTombstones: settings.keepsTombstones))
        if journalMachine.isReplaying { readJournal() }
        if isMutated(.absenceForgotten) { forgetAbsence() }
        take([.start])
        readJournal()
        watchDeadlines()
        watchQuarantine()
        if isMutated(.polling) { poll() }
    }

    /// Ends at once; only what was committed remains. Starts again after a while.
    func crash(restartAfter wait: UInt64?) {
        guard store != nil else { return }
        world.tell("node\(index) stops")
        epoch += 1
        for stream in streams.values { stream.close() }
        streams = [:]
        wakeAt = nil
        (isLookingAtDeadlines, isWatchingQuarantine) = (false, false)
        deadlines = Deadlines()
        crashIn = nil
        store = nil
        machine = nil
        if let wait { timeline.after(wait) { [self] in start() } }
    }

    // MARK: Transactions

    /// Runs one transaction and what belongs to it: the machine is told what others changed, all is looked at.
    ///
    /// - Returns: nil where it has failed; the node has stopped then.
    func commit<Result>(
        tellingMachine: Bool = true, _ body: (Transaction) throws -> Result
    ) -> Result? {
        guard let opened = store else { return nil }
        do {
            let before = glimpse
            let done = try opened.writeNow { transaction -> (Result, NodeGlimpse) in
                if isMutated(.clockForgotten) {
                    let now = Stamp(physical: wall, counter: 0, node: opened.node)
                    transaction.clock = HybridClock(
                        node: opened.node, persisted: now, began: transaction.clock.began)
                }
                let result = try body(transaction)
                try countTwice(in: transaction)
                if crashIn == 0 || network.weather.strikes(.diskFull, at: timeline.now) { throw Crash() }
                return (result, try NodeGlimpse(of: transaction, after: before))
            }
            glimpse = done.result.1
            if before.holds.map(\.number) != glimpse.holds.map(\.number) {
                world.tell("node\(index) holds \(glimpse.holds.map(\.word))")
            }
            world.committed(self, before: before)
            if before.holds != glimpse.holds || before.quarantined != glimpse.quarantined { watchDeadlines() }
            watchQuarantine()
            writeWhatIsHeld()
            if tellingMachine, !isDeciding || !isMutated(.decisionsUntold),
                !done.effects.toPush.isEmpty || done.effects.holdsChanged
            {
                take([.edited(done.effects.toPush.map(\.id))])
            }
            if tellingMachine, done.effects.quarantinedFromJournal > 0 { take([.setAside]) }
            return done.result.0
        } catch is Crash {
            if isMutated(.positionAheadOfEffect) { storePosition(in: opened) }
            crash(restartAfter: 500 + UInt64(random.below(3000)))
        } catch {
            world.report(.crashed, "node\(index): \(error)")
            crash(restartAfter: 5000)
        }
        return nil
    }

    /// Gives inputs to the machine, all in one transaction, and performs the effects.
    func take(_ inputs: [CollectionMachine.Input]) {
        guard let machine else { return }
        var next = machine
        let now = time
        let effects = commit(tellingMachine: false) { transaction in
            var effects: [CollectionMachine.Effect] = []
            let inputs = isMutated(.noBackoff) ? inputs + [.retryNow] : inputs
            for input in inputs { effects += try next.handle(input, in: transaction, at: now) }
            return effects
        }
        guard let effects else { return }
        self.machine = next
        perform(effects)
    }

    // MARK: Effects

    private func perform(_ effects: [CollectionMachine.Effect]) {
        let life = epoch
        for effect in effects {
            if let left = crashIn {
                crashIn = max(0, left - 1)
                if left == 0 { return crash(restartAfter: 500 + UInt64(random.below(20_000))) }
            }
            perform(effect)
            guard epoch == life else { return }
        }
    }

    private func perform(_ effect: CollectionMachine.Effect) {
        switch effect {
        case .note(let note): world.noted(note, by: self)
        case .send(let request): send(request)
        case .close(let keyspace): streams.removeValue(forKey: keyspace)?.close()
        case .listen(let keyspace, let stream, let cursor): listen(to: keyspace, stream, after: cursor)
        case .wake(let moment):
            wakeAt = moment
            let life = epoch
            timeline.after(moment - min(moment, timeline.now)) { [self] in
                guard epoch == life, wakeAt == moment else { return }
                wakeAt = nil
                take([.time])
            }
        }
    }

    private func send(_ request: CollectionMachine.Request) {
        ask(request.call) { [self] answer in take([.answered(request: request.number, answer)]) }
    }

    /// Asks for nothing but the time.
    func probe() {
        ask(.read("moviesync-probe", .records(world.rules.id))) { [self] _ in readJournal() }
    }

    /// - Parameter forMachine: it learns what is answered.
    func ask(
        _ call: RemoteCall, forMachine: Bool = true, receive: @escaping (SimulatedNetwork.Answer) -> Void
    ) {
        let life = epoch
        let sent = Int64(timeline.now)
        world.sends(call, self)
        network.send(call) { [self] answer, serverTime in
            guard epoch == life else { return }
            if let serverTime {
                offset.observe(
                    serverDate: Int64(serverTime / 1000 * 1000), sent: sent, received: Int64(timeline.now))
            }
            if forMachine { world.answered(call, answer, self) }
            receive(mutated(answer))
        }
    }

    private func listen(to keyspace: Keyspace, _ number: Int, after cursor: UInt64?) {
        let life = epoch
        streams[keyspace]?.close()
        let stream = SimulatedStream(network, keyspace) { [self] events in
            if epoch == life { take([.events(keyspace, stream: number, events.filter { isNoticed($0, keyspace) })]) }
        } end: { [self] error in
            if epoch == life { take([.streamEnded(keyspace, stream: number, error)]) }
        }
        streams[keyspace] = stream
        world.listens(self)
        stream.open(after: cursor)
    }

    /// What befalls the streams that are open.
    func suffer(_ fault: Fault) {
        for keyspace in world.keyspaces { streams[keyspace]?.suffer(fault) }
    }
}
