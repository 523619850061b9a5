internal import DatabaseTree
internal import FirebaseWire
internal import SyncCore
internal import SyncModel

/// The way between one node and the database: requests and answers, and what goes wrong with them.
final class SimulatedNetwork {
    typealias Answer = Result<CollectionMachine.Answer, RemoteError>

    /// How long a request may take before its node gives up, in milliseconds.
    static let timeLimit: UInt64 = 30_000

    let timeline: Timeline
    let database: SimulatedDatabase
    let writer: SimulatedDatabase.Writer
    var weather: Weather
    /// What the node has sent.
    let sent = SentEntries()
    var mutation: SimulatedMutation?
    /// How many requests were sent.
    private(set) var requests = 0

    init(_ timeline: Timeline, _ database: SimulatedDatabase, _ writer: SimulatedDatabase.Writer, _ weather: Weather) {
        self.timeline = timeline
        self.database = database
        self.writer = writer
        self.weather = weather
    }

    /// Sends a request. `receive` is called once, with the server's time where it has answered.
    func send(_ call: RemoteCall, receive: @escaping (Answer, _ serverTime: UInt64?) -> Void) {
        requests += 1
        call.note(in: sent)
        let now = timeline.now
        if weather.isAbout(.partition, at: now) {
            return timeline.after(200) { receive(.failure(.init(.unreachable, "no connection")), nil) }
        }
        if weather.strikes(.lost, at: now) {
            return timeline.after(SimulatedNetwork.timeLimit) { receive(.failure(.noAnswer), nil) }
        }
        if weather.strikes(.duplicated, at: now), call.isConditional {
            timeline.after(weather.latency(at: now) + weather.latency(at: now)) { [self] in _ = try? perform(call) }
        }
        timeline.after(weather.latency(at: now)) { [self] in
            let (answer, delay) = answer(to: call)
            let serverTime = timeline.now
            timeline.after(delay) { receive(answer, serverTime) }
        }
    }

    /// What the other side answers, and after how many milliseconds that arrives.
    private func answer(to call: RemoteCall) -> (Answer, UInt64) {
        let now = timeline.now
        let delay = weather.latency(at: now)
        if let error = refusal(of: call, at: now) { return (.failure(error), delay) }
        if weather.strikes(.contended, at: now), let entry = current(of: call) {
            return (.success(.outcome(.conflict(entry))), delay)
        }
        var answer: Answer
        do {
            answer = .success(try perform(call))
        } catch let refusal as Refusal {
            answer = .failure(refusal.remoteError)
        } catch {
            answer = .failure(RemoteError(.outcomeUnknown, "\(error)"))
        }
        if weather.strikes(.noETag, at: now) { answer = answer.map(\.withoutETag) }
        if weather.strikes(.falseNull, at: now) { answer = answer.map(\.asNull) }
        if weather.strikes(.truncated, at: now) || weather.strikes(.serverError, at: now) {
            return (.failure(RemoteError(.outcomeUnknown, "the answer is cut short")), delay)
        }
        if weather.strikes(.answerLost, at: now) {
            return (.failure(.noAnswer), weather.random.chance(50) ? SimulatedNetwork.timeLimit : 500)
        }
        return (answer, delay)
    }

    private static let refusals: [(Fault, RemoteError.Code)] = [
        (.badRequest, .refused), (.unauthorized, .unauthorized), (.denied, .denied), (.forbidden, .stopped),
        (.tooLarge, .refused), (.locked, .stopped), (.tooMany, .unavailable), (.unavailable, .unavailable),
        (.serverError, .outcomeUnknown),
    ]

    private func refusal(of call: RemoteCall, at now: UInt64) -> RemoteError? {
        for (fault, code) in SimulatedNetwork.refusals where weather.isAbout(fault, at: now) {
            guard weather.strikes(fault, at: now) else { continue }
            if fault == .serverError, weather.random.chance(50) { continue }
            let isWhole = fault == .tooLarge && call.readsMany
            let wait = fault == .unavailable ? Duration.seconds(weather.random.below(90)) : nil
            return RemoteError(isWhole ? .tooLarge : code, fault.rawValue, retryAfter: wait)
        }
        return nil
    }

    /// What stands where a conditional write goes.
    private func current(of call: RemoteCall) -> RemoteEntry? {
        switch call {
        case .write(let write, let keyspace, _): database.entry(write.key, in: keyspace, withETag: true)
        case .remove(let key, let keyspace, _): database.entry(key, in: keyspace, withETag: true)
        default: nil
        }
    }

    // MARK: The database's side

    private func perform(_ call: RemoteCall) throws -> CollectionMachine.Answer {
        switch call {
        case .read(let key, let keyspace): return .entry(read(key, in: keyspace))
        case .keys(let keyspace): return .keys(database.keys(in: keyspace))
        case .readRange(let first, let last, let limit, let keyspace):
            return .page(page(keyspace, from: first, through: last, limit: limit))
        case .write(let write, let keyspace, let condition):
            let etag = if case .matches(let etag) = condition { etag } else { ETag.null.text }
            return .outcome(try write.isPut(in: keyspace, ifMatches: etag, self))
        case .remove(let key, let keyspace, let etag):
            return .outcome(try put(nil, at: key, in: keyspace, ifMatches: etag))
        case .writeBatch(let elements):
            try database.write(elements.map(\.change), by: writer, now: timeline.now)
            return .done
        case .peers: return .peers(database.peers())
        case .announce(let peer):
            try database.announce(peer, by: writer, now: timeline.now)
            return .done
        case .horizon(let collection): return .horizon(database.horizon(of: collection))
        case .raiseHorizon(let collection, let stamp, let etag):
            return .raised(
                try database.raiseHorizon(of: collection, to: stamp, ifMatches: etag, by: writer, now: timeline.now))
        }
    }

    private func read(_ key: String, in keyspace: Keyspace) -> RemoteEntry {
        let asked = mutation == .upperCaseReads ? key.uppercased() : key
        var entry = database.entry(asked, in: keyspace, withETag: true)
        if mutation == .unreadableLooksAbsent, !SimulatedFilms.isReadable(entry) { entry.value = .absent }
        return entry
    }

    fileprivate func put(
        _ body: [UInt8]?, at key: String, in keyspace: Keyspace, ifMatches etag: String
    ) throws -> WriteOutcome {
        let path = SimulatedDatabase.path(of: key, in: keyspace)
        guard database.etag(at: path) == etag else {
            return .conflict(database.entry(key, in: keyspace, withETag: true))
        }
        try database.write([.init(path: path, body: body)], by: writer, now: timeline.now)
        return .written(etag: database.etag(at: path))
    }

    private func page(_ keyspace: Keyspace, from first: String?, through last: String?, limit: Int) -> RemotePage {
        let entries = database.entries(in: keyspace).filter { entry in
            if let first, WirePath.precedes(entry.key, first) { return false }
            if let last, WirePath.precedes(last, entry.key) { return false }
            return true
        }
        // Smaller than asked for, so that a few records already make several pages.
        let size = min(limit, 4)
        return RemotePage(
            entries: Array(entries.prefix(size)), next: entries.count > size ? entries[size].key : nil)
    }
}

extension RemoteCall {
    /// Notes what is written, as Firebase's remote does.
    fileprivate func note(in sent: SentEntries) {
        switch self {
        case .write(let write, let keyspace, _):
            BatchElement(keyspace: keyspace, key: write.key, write: write).note(in: sent)
        case .writeBatch(let elements): for element in elements { element.note(in: sent) }
        default: break
        }
    }
}

extension RemoteWrite {
    fileprivate var body: [UInt8] {
        var text: [UInt8] = []
        EntrySpelling.append(self, to: &text)
        return text
    }

    fileprivate func isPut(
        in keyspace: Keyspace, ifMatches etag: String, _ network: SimulatedNetwork
    ) throws -> WriteOutcome {
        try network.put(body, at: key, in: keyspace, ifMatches: etag)
    }
}

extension BatchElement {
    fileprivate func note(in sent: SentEntries) {
        guard let write else { return }
        var body: [UInt8] = []
        let place = EntrySpelling.append(write, to: &body)
        sent.note([self], body, [place])
    }

    fileprivate var change: SimulatedDatabase.Change {
        .init(path: SimulatedDatabase.path(of: key, in: keyspace), body: write.map(\.body))
    }
}

extension RemoteCall {
    /// Whether carrying it out again changes nothing.
    fileprivate var isConditional: Bool {
        switch self {
        case .writeBatch, .announce: false
        default: true
        }
    }

    fileprivate var readsMany: Bool {
        switch self {
        case .readRange, .keys: true
        default: false
        }
    }

    /// The keys that it writes or removes, with their keyspaces.
    var written: [(key: String, keyspace: Keyspace)] {
        switch self {
        case .write(let write, let keyspace, _): [(write.key, keyspace)]
        case .remove(let key, let keyspace, _): [(key, keyspace)]
        case .writeBatch(let elements): elements.map { ($0.key, $0.keyspace) }
        case .read, .readRange, .keys, .peers, .announce, .horizon, .raiseHorizon: []
        }
    }

    /// The keys under which it puts records.
    var put: [String] {
        switch self {
        case .write(let write, .records, _): [write.key]
        case .writeBatch(let elements):
            elements.filter { element in
                if case .records = element.keyspace { element.write != nil } else { false }
            }.map(\.key)
        default: []
        }
    }
}

extension CollectionMachine.Answer {
    fileprivate var withoutETag: CollectionMachine.Answer {
        switch self {
        case .entry(var entry):
            entry.etag = nil
            return .entry(entry)
        case .outcome(.written): return .outcome(.written(etag: nil))
        case .outcome(.conflict(var entry)):
            entry.etag = nil
            return .outcome(.conflict(entry))
        case .horizon(var horizon):
            horizon.etag = nil
            return .horizon(horizon)
        case .page, .keys, .done, .peers, .raised: return self
        }
    }
}

extension CollectionMachine.Answer {
    /// Of one value that was read; pages and lists of keys have their brakes.
    fileprivate var asNull: CollectionMachine.Answer {
        switch self {
        case .entry(let entry): .entry(RemoteEntry(key: entry.key, value: .absent))
        case .horizon: .horizon(RemoteHorizon(stamp: nil, etag: nil))
        case .page, .keys, .done, .outcome, .peers, .raised: self
        }
    }
}

extension RemoteError {
    fileprivate static let noAnswer = RemoteError(.outcomeUnknown, "no answer within the time limit")
}

extension Refusal {
    fileprivate var remoteError: RemoteError {
        RemoteError(status == 401 ? .denied : .refused, message)
    }
}
