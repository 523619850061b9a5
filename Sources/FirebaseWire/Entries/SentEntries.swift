package import SyncModel
internal import Synchronization

/// What was written, until a stream shows it: an echo is known by its bytes, before anything of it is read.
///
/// A write goes out as the database will show it but for the time (``EntrySpelling``). What is spelled otherwise is read
/// like any other entry; so is what comes so late that it was forgotten.
package final class SentEntries: Sendable {
    private final class Request: Sendable {
        let elements: [BatchElement]
        let body: [UInt8]

        init(_ elements: [BatchElement], _ body: [UInt8]) {
            self.elements = elements
            self.body = body
        }
    }

    private struct Sent {
        let request: Request
        let place: SentPlace
    }

    private struct Generation {
        /// By their keys, in keyspaces: of these there are few.
        private var sent: [(keyspace: Keyspace, entries: [String: Sent])] = []
        /// How many bytes its requests had.
        var size = 0

        mutating func take(_ key: String, in keyspace: Keyspace) -> Sent? {
            guard let index = sent.firstIndex(where: { $0.keyspace == keyspace }) else { return nil }
            return sent[index].entries.removeValue(forKey: key)
        }

        mutating func set(_ key: String, in keyspace: Keyspace, _ new: Sent) {
            if let index = sent.firstIndex(where: { $0.keyspace == keyspace }) {
                sent[index].entries[key] = new
            } else {
                sent.append((keyspace, [key: new]))
            }
        }
    }

    private let remembered: Int
    private let generations = Mutex((recent: Generation(), older: Generation()))

    /// - Parameter remembered: in bytes: so much of the last requests is remembered at least, and about twice as much at most.
    package init(remembered: Int = 3 << 19) { self.remembered = remembered }

    /// Remembers a request that is about to go out; the last write of each key counts.
    ///
    /// - Parameters:
    ///   - body: where `places` are.
    ///   - places: those of the elements that write something.
    package func note(_ elements: [BatchElement], _ body: [UInt8], _ places: [SentPlace]) {
        let request = Request(elements, body)
        generations.withLock { generations in
            if generations.recent.size > remembered {
                generations.older = generations.recent
                generations.recent = Generation()
            }
            generations.recent.size += body.count
            for place in places {
                let element = elements[place.element]
                generations.recent.set(element.key, in: element.keyspace, Sent(request: request, place: place))
            }
        }
    }

    /// The write that `text` under `key` shows, and the database's time of it; nil where it shows anything else than was
    /// written there last. What was written there is forgotten.
    package func echo(
        _ key: String, in keyspace: Keyspace, _ text: [UInt8]
    ) -> (write: RemoteWrite, serverTime: UInt64)? {
        let sent = generations.withLock { generations in
            generations.recent.take(key, in: keyspace) ?? generations.older.take(key, in: keyspace)
        }
        guard let sent, let time = sent.place.serverTime(in: text, sentIn: sent.request.body),
            let write = sent.request.elements[sent.place.element].write
        else { return nil }
        return (write, time)
    }
}

/// Where the body of a request has what is written under a key.
package struct SentPlace: Sendable {
    /// Which of the request's elements it is.
    let element: Int
    let text: Range<Int>
    /// What the database puts its time in place of; within ``text``.
    let time: Range<Int>

    /// The time in `shown`; nil where that says anything else than was written.
    fileprivate func serverTime(in shown: [UInt8], sentIn body: [UInt8]) -> UInt64? {
        let digits = shown.count - text.count + time.count
        let start = time.lowerBound - text.lowerBound
        guard (1...15).contains(digits),
            ByteOrder.areEqual(shown[..<start], body[text.lowerBound..<time.lowerBound]),
            ByteOrder.areEqual(shown[(start + digits)...], body[time.upperBound..<text.upperBound])
        else { return nil }
        var number: UInt64 = 0
        for byte in shown[start..<start + digits] {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + UInt64(byte - 0x30)
        }
        return number
    }
}
