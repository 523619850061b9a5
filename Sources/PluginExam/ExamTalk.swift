internal import PluginLink
internal import PluginWire
internal import SyncModel
internal import Synchronization

/// One connection to a plugin, in which every line is looked at with strict eyes.
final class ExamTalk: Sendable {
    private struct State: Sendable {
        var lines = PluginLines(limit: PluginLimits().line)
        var nextID: Int64 = 1
        var answers: [Int64: [PluginLine]] = [:]
        /// What it printed that it may not; the first thing.
        var breach: String?
        var bytes = 0
        var hasEnded = false
        var process: Int32?
        var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
        var nextListener = 0
    }

    let input = PluginInput()
    private let state = Mutex(State())
    private let log: @Sendable (ArraySlice<UInt8>) -> Void

    init(log: @escaping @Sendable (ArraySlice<UInt8>) -> Void) { self.log = log }

    var handlers: PluginHandlers {
        PluginHandlers(
            opened: { process in self.change { $0.process = process } },
            output: { bytes in self.change { ExamTalk.read(bytes, &$0) } },
            outputEnded: { self.change { $0.hasEnded = true } }, log: log)
    }

    var breach: String? { state.withLock { $0.breach } }

    /// The process of a program that runs here.
    var process: Int32? { state.withLock { $0.process } }

    /// How many bytes it has printed.
    var bytes: Int { state.withLock { $0.bytes } }

    /// Makes a call, and returns its id.
    func ask(_ name: String, with arguments: JSONValue = [:]) -> Int64 {
        let id = state.withLock { state in
            defer { state.nextID += 1 }
            state.answers[state.nextID] = []
            return state.nextID
        }
        input.write(PluginLine.call(id, name, with: arguments))
        return id
    }

    /// Says that nobody waits for a call.
    func cancel(_ id: Int64) { input.write(PluginLine.cancel(id)) }

    /// The answer to a call, as soon as that has ended.
    ///
    /// - Throws: ``ExamFailure`` where it does not end in time, or the plugin has gone.
    func reply(to id: Int64, _ name: String, within limit: Duration = .seconds(30)) async throws -> ExamReply {
        let outcome: Result<ExamReply, ExamFailure>? = await wait(limit) { state in
            if let lines = state.answers[id], let last = lines.last, last.isEnd {
                return .success(ExamTalk.reply(lines))
            }
            if let breach = state.breach { return .failure(ExamFailure(breach)) }
            return state.hasEnded ? .failure(ExamFailure("it ended before it had answered \(name)")) : nil
        }
        guard let outcome else { throw ExamFailure("it did not end \(name) within \(limit.components.seconds) s") }
        return try outcome.get()
    }

    func call(
        _ name: String, with arguments: JSONValue = [:], within limit: Duration = .seconds(30)
    ) async throws -> ExamReply {
        try await reply(to: ask(name, with: arguments), name, within: limit)
    }

    /// Whether it ends its output within a time.
    func ends(within limit: Duration) async -> Bool { await wait(limit) { $0.hasEnded ? true : nil } ?? false }

    /// Whether it prints anything within a time.
    func prints(within limit: Duration) async -> Bool { await wait(limit) { $0.bytes > 0 ? true : nil } ?? false }

    private static func reply(_ lines: [PluginLine]) -> ExamReply {
        var items: [JSONValue] = []
        var end = Result<JSONValue, PluginError>.success(nil)
        for line in lines {
            switch line.content {
            case .answer(.item(let item)): items.append(item)
            case .answer(.ok(let value)): end = .success(value)
            case .answer(.progress): continue
            case .failed(let error): end = .failure(error)
            }
        }
        return ExamReply(items: items, end: end)
    }
}

extension ExamTalk {
    private static func read(_ bytes: ArraySlice<UInt8>, _ state: inout State) {
        state.bytes += bytes.count
        guard state.breach == nil else { return }
        do throws(PluginBreach) {
            for bytes in try state.lines.read(bytes) {
                let line = try PluginLine(bytes)
                guard let before = state.answers[line.id] else {
                    throw PluginBreach(.unknownID, "it answers the call \(line.id), which nobody made")
                }
                guard before.last?.isEnd != true else {
                    throw PluginBreach(
                        .strayLines, "it printed \(PluginBreach.excerpt(bytes)) after the end of the call")
                }
                state.answers[line.id]?.append(line)
            }
        } catch {
            state.breach = error.message
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let listeners = state.withLock { state in
            body(&state)
            return state.listeners.values.map(\.self)
        }
        for listener in listeners { listener.yield() }
    }

    /// Asks now and after each change; nil where there is no answer in time.
    private func wait<Value: Sendable>(
        _ limit: Duration, _ answer: @escaping @Sendable (borrowing State) -> Value?
    ) async -> Value? {
        let (changes, listener) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = listener
            return state.nextListener
        }
        defer { state.withLock { _ = $0.listeners.removeValue(forKey: number) } }
        let value = try? await withTimeout(limit) { () -> Value? in
            if let value = self.state.withLock({ answer($0) }) { return value }
            for await _ in changes { if let value = self.state.withLock({ answer($0) }) { return value } }
            return nil
        }
        // On a busy machine nobody may have been let look at what came meanwhile.
        return value ?? state.withLock { answer($0) }
    }
}
