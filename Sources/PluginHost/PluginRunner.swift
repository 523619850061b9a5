internal import ControlAPI
internal import Logging
internal import PluginLink
internal import PluginWire
internal import SyncModel
internal import Synchronization

/// Runs one plugin: performs what its ``PluginLife`` decides.
///
/// Everything but ``run()`` returns at once, whatever the plugin does.
final class PluginRunner: Sendable {
    private struct State: Sendable {
        var settings: PluginSettings
        /// The secrets that it was told last.
        var secrets: [String: String] = [:]
        /// Why it could not be told what the configuration says now; nil where it knows.
        var untold: String?
        var life: PluginLife
        var log = PluginLog()
        var input: PluginInput?
        var process: Int32?
        var calls: [UInt64: AsyncThrowingStream<PluginAnswer, any Error>.Continuation] = [:]
        var nextCall: UInt64 = 1
        /// The earliest moment at which time will be looked at.
        var wakesAt: UInt64?
        var changedAt: UInt64
    }

    /// What can't be done at once.
    private enum Job: Sendable {
        case open
        case wake(UInt64)
        /// Nobody waits for this call any more.
        case forget(UInt64)
    }

    let name: String
    private let context: PluginContext
    private let logger: Logger
    private let state: Mutex<State>
    private let jobs: AsyncStream<Job>
    private let job: AsyncStream<Job>.Continuation

    init(_ settings: PluginSettings, _ context: PluginContext) {
        name = settings.name
        self.context = context
        var logger = context.logger
        logger[metadataKey: "plugin"] = "\(settings.name)"
        self.logger = logger
        state = Mutex(
            State(settings: settings, life: PluginLife(limits: context.limits), changedAt: context.wall()))
        (jobs, job) = AsyncStream.makeStream()
    }

    /// Starts the plugin, and goes on until it was stopped with ``stop()``.
    func run() async {
        decide { $0.start(at: $1) }
        await withDiscardingTaskGroup { group in
            for await job in jobs {
                switch job {
                case .open: group.addTask { await self.open() }
                case .wake(let moment):
                    group.addTask {
                        await self.context.sleep(moment)
                        self.wake(moment)
                    }
                case .forget(let number): forget(number)
                }
            }
            group.cancelAll()
        }
    }

    /// Calls the plugin.
    ///
    /// - Returns: what it answers, the last one `ok`; throws a ``PluginError`` where the call fails. A reader that goes
    ///   away cancels the call.
    func call(_ name: String, with arguments: JSONValue) -> AsyncThrowingStream<PluginAnswer, any Error> {
        let (answers, reader) = AsyncThrowingStream<PluginAnswer, any Error>.makeStream()
        let number = state.withLock { state in
            defer { state.nextCall += 1 }
            state.calls[state.nextCall] = reader
            return state.nextCall
        }
        // Not decided here: who cancels a task holds the runtime's lock of it, and who decides wakes that task.
        reader.onTermination = { [job] reason in
            guard case .cancelled = reason else { return }
            job.yield(.forget(number))
        }
        decide { $0.call(number, name, with: arguments, at: $1) }
        return answers
    }

    /// Starts it anew.
    func restart() { decide { $0.restart(at: $1) } }

    /// Ends it; ``run()`` returns when it has ended.
    func stop() { decide { life, _ in life.stop() } }

    /// Takes over other settings, which have to be reached in the same way.
    func configure(_ settings: PluginSettings) {
        state.withLock { $0.settings = settings }
        decide { $0.reconfigured(at: $1) }
    }

    /// Tells it its secrets anew where their files hold others than it was told, or could not be read then.
    func refreshSecrets() {
        let (settings, told, isUntold) = state.withLock { ($0.settings, $0.secrets, $0.untold != nil) }
        do {
            let now = try context.greeting(settings).secrets
            guard isUntold || now != told && !told.isEmpty else { return }
            configure(settings)
        } catch {
            state.withLock { if $0.input != nil { noteUntold(&$0, error) } }
        }
    }

    /// What it said of itself last.
    var declaration: PluginDeclaration? { state.withLock { $0.life.declaration } }

    /// What it was configured as last.
    var settings: PluginSettings { state.withLock { $0.settings } }

    /// What there is to say about it.
    func reply() -> PluginReply {
        state.withLock { state in
            var reply = PluginReply(
                state.settings, state.life, process: state.process, changedAt: state.changedAt,
                wall: context.wall(), monotonic: context.monotonic())
            reply.reason = reply.reason ?? state.untold
            return reply
        }
    }
}

// Deciding and performing.
extension PluginRunner {
    /// Lets the life decide, and performs what it wants; nothing of that waits.
    private func decide(_ step: (inout PluginLife, _ now: UInt64) -> [PluginLife.Effect]) {
        state.withLock { state in
            let before = state.life.phase
            for effect in step(&state.life, context.monotonic()) { perform(effect, &state) }
            if state.life.phase != before { state.changedAt = context.wall() }
            if state.life.phase == .stopped, state.input == nil { job.finish() }
            if let moment = state.life.wakeAt, moment < state.wakesAt ?? .max {
                state.wakesAt = moment
                job.yield(.wake(moment))
            }
        }
    }

    private func wake(_ moment: UInt64) {
        state.withLock { if $0.wakesAt == moment { $0.wakesAt = nil } }
        decide { $0.time(at: $1) }
    }

    private func forget(_ number: UInt64) {
        // Its end is not for the lock either.
        _ = state.withLock { $0.calls.removeValue(forKey: number) }
        decide { $0.cancel(number, at: $1) }
    }

    private func perform(_ effect: PluginLife.Effect, _ state: inout State) {
        switch effect {
        case .open:
            state.input = PluginInput()
            job.yield(.open)
        case .send(let bytes): state.input?.write(bytes)
        case .close: state.input?.close()
        case .cut: state.input?.close(patiently: false)
        case .greet: greet(&state)
        case .answer(let number, .ok(let value)):
            let reader = state.calls.removeValue(forKey: number)
            reader?.yield(.ok(value))
            reader?.finish()
        case .answer(let number, let answer): state.calls[number]?.yield(answer)
        case .failed(let number, let error): state.calls.removeValue(forKey: number)?.finish(throwing: error)
        case .event(let event):
            if case .started(let declaration) = event { context.greeted(state.settings, declaration) }
            PluginLogging.note(event, logger)
        }
    }

    /// Greets it, with what the configuration says now.
    private func greet(_ state: inout State) {
        do {
            let greeting = try context.greeting(state.settings)
            state.log.takeOut(greeting.secrets.values)
            state.secrets = greeting.secrets
            state.untold = nil
            for effect in state.life.opened(greeting, at: context.monotonic()) { perform(effect, &state) }
        } catch {
            noteUntold(&state, error)
        }
    }

    private func noteUntold(_ state: inout State, _ error: any Error) {
        state.untold = "it goes on with its old settings, as the new ones can't be read: \(error)".oneLine
        logger.error(
            "A plugin's new settings can't be read", metadata: ["event": "plugin.settings", "reason": "\(error)"])
    }
}

// One connection.
extension PluginRunner {
    private func open() async {
        guard let input = state.withLock({ $0.input }) else { return }
        let ending = await connect(input)
        state.withLock { state in
            for line in state.log.finish(at: context.monotonic()) { PluginLogging.write(line, logger) }
            state.input = nil
            state.process = nil
            state.untold = nil
        }
        decide { $0.closed(ending, at: $1) }
    }

    private func connect(_ input: PluginInput) async -> PluginEnding {
        let settings = state.withLock { $0.settings }
        let greeting: PluginGreeting
        let link: any PluginLink
        do {
            greeting = try context.greeting(settings)
            link = try context.makeLink(settings)
        } catch {
            return .unopened("\(error)")
        }
        state.withLock { state in
            state.log = PluginLog(Redaction(greeting.secrets.values))
            state.secrets = greeting.secrets
        }
        return await link.run(
            input,
            PluginHandlers(
                opened: { process in
                    self.state.withLock { $0.process = process }
                    self.decide { $0.opened(greeting, at: $1) }
                },
                output: { bytes in self.decide { $0.read(bytes, at: $1) } },
                outputEnded: { self.decide { life, _ in life.outputEnded() } },
                log: { bytes in
                    let lines = self.state.withLock { $0.log.read(bytes, at: self.context.monotonic()) }
                    for line in lines { PluginLogging.write(line, self.logger) }
                }))
    }
}
