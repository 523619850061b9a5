package import SyncModel
internal import Synchronization

/// What was written, until a stream shows it: an echo is known by its bytes, before anything of it is read.
///
/// A write goes out as the database will show it but for the time (``EntrySpelling``). What is spelled otherwise is read
/// like any other entry; so is what comes so late that it was forgotten.
package final class SentEntries: Sendable {
    private struct State {
        var recent = SentGeneration()
        var older = SentGeneration()
        var lastNumber = 0
    }

    private let remembered: Int
    private let state = Mutex(State())

    /// - Parameter remembered: in bytes: so much of the last requests is remembered at least, and about twice as much at most.
    package init(remembered: Int = 3 << 19) { self.remembered = remembered }

    /// Remembers a request that is about to go out; the last write of each key counts.
    ///
    /// - Parameters:
    ///   - body: where `places` are, in their order.
    ///   - places: those of the elements that write something.
    package func note(_ elements: [BatchElement], _ body: [UInt8], _ places: [SentPlace]) {
        state.withLock { state in
            if state.recent.size > remembered {
                state.older = state.recent
                state.recent = SentGeneration()
            }
            state.lastNumber += 1
            state.recent.add(SentRequest(number: state.lastNumber, elements, body, places))
        }
    }

    /// The write that `text` under `key` shows, and the database's time of it; nil where it shows anything else than was
    /// written there last. What was written there is forgotten.
    package func echo(
        _ key: String, in keyspace: Keyspace, _ text: [UInt8]
    ) -> (write: BatchElement, serverTime: UInt64)? {
        let sent = state.withLock { state in
            let (recent, older) = (state.recent.take(key, in: keyspace), state.older.take(key, in: keyspace))
            return recent ?? older
        }
        guard let sent, let time = sent.place.serverTime(in: text[...], sentIn: sent.request.body) else { return nil }
        return (sent.request.elements[sent.place.element], time)
    }

    /// The last request that wrote only in `keyspace`, several entries, and `key` first: what begins with that may be its echo.
    ///
    /// - Parameter key: as the request spells it.
    package func request(beginningWith key: ArraySlice<UInt8>, in keyspace: Keyspace) -> SentRequest? {
        let key = String(decoding: key, as: UTF8.self)
        return state.withLock { $0.recent.request(key, in: keyspace) ?? $0.older.request(key, in: keyspace) }
    }

    /// Forgets a request that a stream has shown as a whole; one that is forgotten already is left alone.
    package func forget(_ request: SentRequest) {
        state.withLock { state in
            state.recent.forget(request)
            state.older.forget(request)
        }
    }
}

/// Requests that went out one after the other, and are forgotten together.
private struct SentGeneration {
    struct Sent {
        let request: SentRequest
        let place: SentPlace
    }

    /// Writes by their keys, in keyspaces: of these there are few.
    private var sent: [(keyspace: Keyspace, entries: [String: Sent])] = []
    /// Those that may come back as a whole, by their first keys.
    private var whole: [String: SentRequest] = [:]
    /// Those of them whose writes are not in ``sent`` yet: mostly nobody asks for one.
    private var unsorted: [SentRequest] = []
    /// How many bytes its requests had.
    private(set) var size = 0

    mutating func add(_ request: SentRequest) {
        size += request.body.count
        guard request.keyspace != nil, let key = request.firstKey else { return sort(request) }
        whole[key] = request
        unsorted.append(request)
    }

    func request(_ key: String, in keyspace: Keyspace) -> SentRequest? {
        whole[key].flatMap { $0.keyspace == keyspace ? $0 : nil }
    }

    mutating func forget(_ request: SentRequest) {
        guard let key = request.firstKey, whole[key] === request else { return }
        whole[key] = nil
        guard let index = unsorted.firstIndex(where: { $0 === request }) else { return }
        unsorted.remove(at: index)
        size -= request.size
    }

    mutating func take(_ key: String, in keyspace: Keyspace) -> Sent? {
        for request in unsorted { sort(request) }
        unsorted = []
        guard let index = sent.firstIndex(where: { $0.keyspace == keyspace }) else { return nil }
        return sent[index].entries.removeValue(forKey: key)
    }

    private mutating func sort(_ request: SentRequest) {
        for place in request.places {
            let element = request.elements[place.element]
            set(element.key, in: element.keyspace, Sent(request: request, place: place))
        }
    }

    private mutating func set(_ key: String, in keyspace: Keyspace, _ new: Sent) {
        guard let index = sent.firstIndex(where: { $0.keyspace == keyspace }) else {
            return sent.append((keyspace, [key: new]))
        }
        if let old = sent[index].entries[key], old.request.number > new.request.number { return }
        sent[index].entries[key] = new
    }
}
