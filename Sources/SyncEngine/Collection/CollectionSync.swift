internal import ControlAPI
internal import LocalStore
internal import PluginKit
internal import SyncCore
internal import SyncModel
internal import Synchronization

/// The shell of a collection's machine: awaits inputs, gives them to the machine in one transaction, and performs its
/// effects once that has committed. It holds no rule.
final class CollectionSync: Sendable {
    let id: CollectionID
    let plugin: any CollectionPlugin
    let context: EngineContext
    let rules: CollectionRules
    private let settings: MachineSettings
    /// Of the machine that runs now; nil while none does.
    private let mailbox = Mutex<Mailbox?>(nil)
    private let facts = Mutex((mayPush: false, isBusy: false))
    /// Requests were in flight when a machine failed: nobody knows what has become of them.
    private let unsure = Mutex(false)
    private let becameIdle = Signal()
    /// Of the machine that runs now.
    private let unanswered = Mutex(Unanswered())

    /// Inputs that are taken in one transaction, at most.
    private static let most = 64

    init(_ id: CollectionID, settings: MachineSettings, plugin: any CollectionPlugin, context: EngineContext) {
        self.id = id
        self.plugin = plugin
        self.context = context
        self.settings = settings
        rules = context.rules(id) ?? plugin.rules(.fields)
    }

    /// The keyspaces that are listened to.
    var keyspaces: [Keyspace] { settings.keyspaces(of: id) }

    /// Tells the status that nobody listens to the remote: until a machine does, nothing is known to be equal.
    func noteUnheard() {
        context.status.update { [keyspaces] facts in
            for keyspace in keyspaces { facts.streams[keyspace] = .connecting }
        }
    }

    /// Whether both snapshots have been merged since the start.
    var mayPush: Bool { facts.withLock { $0.mayPush } }

    /// Whether requests are in flight.
    var isBusy: Bool { facts.withLock { $0.isBusy } }

    /// Whether a machine has failed with requests in flight, and none has begun since.
    var isUnsure: Bool { unsure.withLock { $0 } }

    /// That the remote has not answered for longer than usual; nil where it has, or was asked for nothing.
    var silence: String? { unanswered.withLock { $0 }.silence(at: context.clock.monotonic()) }

    /// Tells the machine; while none runs nobody needs to be told: the next one looks at the state.
    func tell(_ input: CollectionMachine.Input) { mailbox.withLock { $0 }?.add(input) }

    /// Returns when the machine has taken an input; at once while none runs.
    func isAlive() async { await mailbox.withLock { $0 }?.addAndWait(.time) }

    /// Returns when the machine has taken what it was told and no request is in flight, or the task is cancelled.
    func untilIdle() async {
        await isAlive()
        while isBusy, !Task.isCancelled { await becameIdle.wait(for: nil) }
    }

    /// Runs until cancelled.
    ///
    /// - Throws: what the store throws. Nothing is lost: the next run begins with what was committed, and counts what was in
    ///   flight as attempted, as after a crash.
    func run() async throws {
        if isUnsure {
            try await context.commit(tellingCollections: false) { try $0.countPendingAsAttempted() }
            unsure.withLock { $0 = false }
        }
        let mailbox = Mailbox()
        self.mailbox.withLock { $0 = mailbox }
        let machine = MachineBox(CollectionMachine(rules, settings))
        mailbox.add(.card(context.card(of: id)))
        tellPaused(mailbox)
        mailbox.add(.start)
        let unanswered = Unanswered()
        self.unanswered.withLock { $0 = unanswered }
        let performer = EffectPerformer(
            collection: id, context: context, mailbox: mailbox, unanswered: unanswered)
        defer {
            self.mailbox.withLock { $0 = nil }
            self.unanswered.withLock { $0 = Unanswered() }
            noteUnheard()
            if isBusy { unsure.withLock { $0 = true } }
            facts.withLock { $0 = (false, false) }
            // The next one counts anew what it has to compare.
            context.status.update { [id] in ($0.unconfirmed[id], $0.restingPeople[id]) = (0, nil) }
            mailbox.close()
            becameIdle.notify()
        }
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await performer.runTimer() }
            for await _ in mailbox.arrivals {
                while true {
                    let letters = mailbox.take(limit: CollectionSync.most)
                    if letters.isEmpty { break }
                    // Who waits for that finds in the status what it has changed.
                    defer { for letter in letters { letter.taken?.finish() } }
                    let effects = try await handle(letters, machine)
                    for effect in effects { performer.perform(effect, in: &group) }
                }
            }
            group.cancelAll()
        }
    }

    /// What is paused is told again where that has changed meanwhile: whoever changes it first changes the status.
    private func tellPaused(_ mailbox: Mailbox) {
        var told: Set<Direction>?
        while told != context.status.current.paused {
            let paused = context.status.current.paused
            mailbox.add(.paused(paused))
            told = paused
        }
    }

    /// Gives the machine what has come, all in one transaction.
    private func handle(
        _ letters: [Mailbox.Letter], _ machine: MachineBox
    ) async throws -> [CollectionMachine.Effect] {
        let inputs = letters.map(\.input)
        let isShort = inputs.reduce(0) { $0 + $1.size } < EngineContext.fewRecords
        let effects = try await context.commit(tellingCollections: false, isShort: isShort) { [context] transaction in
            try machine.handle(inputs, in: transaction, at: context.machineTime)
        }
        let now = machine.facts
        facts.withLock { $0 = now }
        if !now.isBusy { becameIdle.notify() }
        return effects
    }
}

/// Keeps the machine where a transaction can use it without copying it.
private final class MachineBox: Sendable {
    private let machine: Mutex<CollectionMachine>

    init(_ machine: CollectionMachine) { self.machine = Mutex(machine) }

    /// - Throws: what the book throws: the machine must not be used again.
    func handle(
        _ inputs: [CollectionMachine.Input], in transaction: Transaction, at time: MachineTime
    ) throws -> [CollectionMachine.Effect] {
        try machine.withLock { machine in
            var effects: [CollectionMachine.Effect] = []
            for input in inputs { effects += try machine.handle(input, in: transaction, at: time) }
            return effects
        }
    }

    var facts: (mayPush: Bool, isBusy: Bool) { machine.withLock { ($0.mayPush, $0.isBusy) } }
}
