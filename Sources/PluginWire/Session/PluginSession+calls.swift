package import SyncModel

extension PluginSession {
    /// Makes a call, as soon as the plugin has been greeted and takes another one.
    ///
    /// - Parameter number: names the call in effects; no two may have the same.
    package mutating func call(
        _ number: UInt64, _ name: String, with arguments: JSONValue, at now: UInt64
    ) -> [Effect] {
        guard waiting.count < limits.waiting else {
            return [.failed(number, PluginError(.unavailable, "too many calls wait for the plugin: try later"))]
        }
        waiting.append(Waiting(number: number, name: name, arguments: arguments, since: now))
        return sendWaiting(at: now)
    }

    /// Nobody waits for a call any more; one that has ended is left as it is.
    package mutating func cancel(_ number: UInt64, at now: UInt64) -> [Effect] {
        waiting.removeAll { $0.number == number }
        guard let id = flights.first(where: { $0.value.number == number && $0.value.cancelledAt == nil })?.key else {
            return []
        }
        flights[id]?.isGivenUp = true
        return drop(id, at: now)
    }

    /// When ``time(at:)`` has something to do, unless something else happens before.
    package var wakeAt: UInt64? {
        let times = flights.values.map { $0.deadline(limits) } + waiting.map { $0.since + limits.call }
        return (times + [hello?.deadline].compactMap(\.self)).min()
    }

    /// Ends what has taken too long.
    package mutating func time(at now: UInt64) -> [Effect] {
        if let hello, hello.deadline <= now {
            return end(PluginBreach(.noHello, "it did not answer hello within \(limits.hello / 1_000) s"))
        }
        var effects: [Effect] = []
        for (id, flight) in flights.sorted(by: { $0.key < $1.key }) where flight.deadline(limits) <= now {
            guard flight.cancelledAt == nil else {
                let code: PluginBreach.Code = flight.isGivenUp && flight.isOnDemand ? .passesOver : .hangs
                let message = "it did not end a cancelled call within \(limits.cancel / 1_000) s"
                return effects + end(PluginBreach(code, message))
            }
            let isQuiet = flight.heardAt + limits.quiet <= now
            let limit = isQuiet ? "no line for \(limits.quiet / 1_000) s" : "no end within \(limits.call / 1_000) s"
            effects.append(.failed(flight.number, PluginError(.unavailable, "the plugin gave \(limit)")))
            effects += drop(id, at: now)
        }
        for late in waiting where late.since + limits.call <= now {
            effects.append(
                .failed(late.number, PluginError(.unavailable, "the plugin was busy for \(limits.call / 1_000) s")))
        }
        waiting.removeAll { $0.since + limits.call <= now }
        return effects
    }

    /// Tells the plugin that a call is not wanted any more.
    mutating func drop(_ id: Int64, at now: UInt64) -> [Effect] {
        flights[id]?.cancelledAt = now
        return [.send(PluginLine.cancel(id))]
    }

    /// Sends what has waited, as far as the plugin takes it.
    mutating func sendWaiting(at now: UInt64) -> [Effect] {
        guard let declaration, hello == nil, !isOver else { return [] }
        var effects: [Effect] = []
        while flights.count < declaration.concurrency, let next = waiting.first {
            waiting.removeFirst()
            let id = takeID()
            let line = PluginLine.call(id, next.name, with: next.arguments)
            guard line.count <= limits.line + 1 else {
                effects.append(
                    .failed(next.number, PluginError(.refused, "the call has \(line.count) bytes: too many")))
                continue
            }
            flights[id] = Flight(
                number: next.number, isOnDemand: PluginDeclaration.isOnDemand(next.name), sentAt: now, heardAt: now)
            effects.append(.send(line))
        }
        return effects
    }
}
