internal import SyncModel

/// One connection to a plugin, as a value: what is called and read goes in, what is to be done comes out.
///
/// It keeps the rules of the protocol and its limits; it opens nothing, and time is an argument (milliseconds of a clock
/// that only goes forward). Nothing is sent before the plugin is greeted; calls wait until it has answered.
package struct PluginSession: Sendable {
    package enum Effect: Hashable, Sendable {
        /// Write these bytes: whole lines.
        case send([UInt8])
        /// The plugin has answered `hello`.
        case greeted(PluginDeclaration)
        /// The plugin does not want to work, or the two sides don't fit together: end the connection.
        case refused(PluginError)
        /// To a call, by the number it was made with; the call ends with `ok`.
        case answer(UInt64, PluginAnswer)
        /// A call ends.
        case failed(UInt64, PluginError)
        /// The plugin broke the protocol: end the connection.
        case end(PluginBreach)
    }

    /// A call that was sent and has not ended.
    struct Flight: Sendable {
        let number: UInt64
        /// Whether people make it, who may give it up at any time: not the plugin's fault.
        let isOnDemand: Bool
        let sentAt: UInt64
        /// When its last line came; when it was sent, before the first.
        var heardAt: UInt64
        var items = 0
        var bytes = 0
        /// When it was cancelled: nobody waits for it any more, but it takes its place until it ends.
        var cancelledAt: UInt64?
        /// Whether somebody gave it up, before any limit.
        var isGivenUp = false

        func deadline(_ limits: PluginLimits) -> UInt64 {
            if let cancelledAt { return cancelledAt + limits.cancel }
            return min(heardAt + limits.quiet, sentAt + limits.call)
        }
    }

    /// A call that was not sent yet.
    struct Waiting: Sendable {
        let number: UInt64
        let name: String
        let arguments: JSONValue
        let since: UInt64
    }

    /// What the plugin said of itself last; nil before it did.
    package internal(set) var declaration: PluginDeclaration?
    let limits: PluginLimits
    var flights: [Int64: Flight] = [:]
    var waiting: [Waiting] = []
    /// The `hello` that is not answered, and until when it has to be.
    var hello: (id: Int64?, deadline: UInt64)?
    private var lines: PluginLines
    private var nextID: Int64 = 1
    private var strays = 0
    private var redaction = Redaction([])
    /// Nothing more is read or sent: the connection is to be ended.
    var isOver = false

    /// - Parameter now: when the plugin is begun; what that takes counts as a part of `hello`.
    package init(limits: PluginLimits = PluginLimits(), at now: UInt64) {
        self.limits = limits
        lines = PluginLines(limit: limits.line)
        hello = (nil, now + limits.hello)
    }

    /// Calls that are in flight or wait; those that were cancelled are not counted.
    package var calls: Int { waiting.count + flights.values.count { $0.cancelledAt == nil } }

    /// Whether nothing is asked of the plugin.
    package var isIdle: Bool { hello == nil && waiting.isEmpty && flights.isEmpty }

    /// Greets the plugin; again, later, with other settings. Calls wait until it has answered.
    package mutating func greet(_ greeting: PluginGreeting, at now: UInt64) -> [Effect] {
        guard !isOver else { return [] }
        // What it was told before it may still say.
        redaction = redaction.adding(greeting.secrets.values)
        // A plugin that does one thing after the other reads it after its calls, which have limits of their own.
        let deadline =
            declaration == nil ? hello?.deadline ?? now + limits.hello : flights.isEmpty ? now + limits.hello : .max
        let line = PluginLine.call(takeID(), "hello", with: greeting.arguments)
        guard line.count <= limits.line + 1 else {
            return refuse(
                PluginError(.settings, "its settings and secrets have \(line.count) bytes: too many for a line"))
        }
        hello = (nextID - 1, deadline)
        return [.send(line)]
    }

    /// Reads what the plugin has printed.
    package mutating func read(_ bytes: ArraySlice<UInt8>, at now: UInt64) -> [Effect] {
        guard !isOver else { return [] }
        var effects: [Effect] = []
        do throws(PluginBreach) {
            for line in try lines.read(bytes) where !isOver { try read(line: line, at: now, &effects) }
        } catch {
            effects += end(error)
        }
        return effects + sendWaiting(at: now)
    }

    /// The connection is over, whoever ended it: every call that has not ended fails.
    package mutating func close(_ reason: String) -> [Effect] {
        isOver = true
        hello = nil
        let open = flights.sorted { $0.key < $1.key }.map(\.value).filter { $0.cancelledAt == nil }.map(\.number)
        let numbers = open + waiting.map(\.number)
        flights = [:]
        waiting = []
        return numbers.map { .failed($0, PluginError(.unavailable, redaction(reason))) }
    }

    mutating func takeID() -> Int64 {
        defer { nextID += 1 }
        return nextID
    }

    mutating func end(_ breach: PluginBreach) -> [Effect] {
        isOver = true
        return [.end(breach)]
    }

    private mutating func refuse(_ error: PluginError) -> [Effect] {
        isOver = true
        return [.refused(error)]
    }
}

// What the plugin prints.
extension PluginSession {
    private mutating func read(
        line bytes: [UInt8], at now: UInt64, _ effects: inout [Effect]
    ) throws(PluginBreach) {
        let line = try PluginLine(bytes, redaction)
        if line.id == hello?.id {
            if line.isEnd {
                effects += greeted(line)
                return
            }
            return try countStray()
        }
        guard var flight = flights[line.id] else {
            guard line.id > 0, line.id < nextID else {
                throw PluginBreach(.unknownID, "it answers the call \(line.id), which nobody made")
            }
            return try countStray()
        }
        flight.heardAt = now
        flight.bytes += bytes.count
        if case .answer(.item) = line.content { flight.items += 1 }
        flights[line.id] = line.isEnd ? nil : flight
        if flights.isEmpty, hello?.deadline == .max { hello?.deadline = now + limits.hello }
        guard flight.cancelledAt == nil else { return }
        if flight.items > limits.items || flight.bytes > limits.bytes {
            let what = flight.items > limits.items ? "\(limits.items) items" : "\(limits.bytes >> 20) MiB"
            effects.append(.failed(flight.number, PluginError(.internal, "the answer has more than \(what)")))
            if !line.isEnd { effects += drop(line.id, at: now) }
            return
        }
        switch line.content {
        case .answer(let answer): effects.append(.answer(flight.number, answer))
        case .failed(let error): effects.append(.failed(flight.number, error))
        }
    }

    /// A line that nobody waits for: of a call that has ended, or an item of `hello`.
    private mutating func countStray() throws(PluginBreach) {
        strays += 1
        if strays > limits.strays {
            throw PluginBreach(.strayLines, "it printed \(strays) lines that nobody waits for")
        }
    }

    private mutating func greeted(_ line: PluginLine) -> [Effect] {
        hello = nil
        switch line.content {
        case .failed(let error): return refuse(error)
        case .answer(.ok(let value)):
            do throws(PluginError) {
                switch try PluginDeclaration.read(value, limits, redaction) {
                case .disabled(let reason): return refuse(PluginError(.refused, reason))
                case .ready(let declaration):
                    self.declaration = declaration
                    return [.greeted(declaration)]
                }
            } catch {
                return refuse(error)
            }
        case .answer: return []
        }
    }
}
