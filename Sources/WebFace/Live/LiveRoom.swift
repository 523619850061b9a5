internal import Synchronization

/// Those who listen to changes, and what each of them has not been told yet.
///
/// A section that changes many times before its reader comes is told once, so that nobody who reads slowly costs more than
/// a few words.
final class LiveRoom: Sendable {
    /// What of a page has changed.
    enum Section: String, Hashable, Sendable, CaseIterable { case library, people, status, attention }

    struct Event: Hashable, Sendable {
        var section: Section
        /// The last change of the feed that is in it.
        var sequence: Int64
    }

    /// What a reader has to be sent now.
    struct News: Hashable, Sendable {
        var events: [Event] = []
        /// Whether a sign of life is due.
        var isBeat = false
    }

    /// So many may listen.
    static let capacity = 64

    private struct Guest {
        var due: [Section: Int64] = [:]
        var isBeatDue = false
        var bell: AsyncStream<Void>.Continuation
    }

    private struct State {
        var guests: [Int: Guest] = [:]
        var next = 0
        var arrivals: AsyncStream<Void>.Continuation?
    }

    private let state = Mutex(State())
    /// Rings when somebody comes into an empty room.
    let arrivals: AsyncStream<Void>

    init() {
        let (arrivals, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.arrivals = arrivals
        state.withLock { $0.arrivals = ring }
    }

    var isEmpty: Bool { state.withLock { $0.guests.isEmpty } }

    /// The place of a reader, who leaves when nobody has it any more.
    final class Seat: Sendable {
        let number: Int
        /// Rings whenever there is something for the reader.
        let bell: AsyncStream<Void>
        private let room: LiveRoom

        fileprivate init(_ number: Int, _ bell: AsyncStream<Void>, in room: LiveRoom) {
            (self.number, self.bell, self.room) = (number, bell, room)
        }

        deinit { room.leave(number) }
    }

    /// Takes a reader in; nil where there is no room.
    func enter() -> Seat? {
        let (bell, ring) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let number: Int? = state.withLock { state in
            guard state.guests.count < LiveRoom.capacity else { return nil }
            state.next += 1
            state.guests[state.next] = Guest(bell: ring)
            if state.guests.count == 1 { state.arrivals?.yield() }
            return state.next
        }
        return number.map { Seat($0, bell, in: self) }
    }

    private func leave(_ number: Int) { state.withLock { $0.guests[number] = nil } }

    /// Notes that sections have changed, for one reader or for all.
    func note(_ sections: some Sequence<Section>, _ sequence: Int64, for number: Int? = nil) {
        state.withLock { state in
            for guest in state.guests.keys where number == nil || number == guest {
                for section in sections { state.guests[guest]?.due[section] = sequence }
                state.guests[guest]?.bell.yield()
            }
        }
    }

    /// Has every reader sent a sign of life.
    func beat() {
        state.withLock { state in
            for guest in state.guests.keys {
                state.guests[guest]?.isBeatDue = true
                state.guests[guest]?.bell.yield()
            }
        }
    }

    /// Takes what a reader has to be sent.
    func news(for number: Int) -> News {
        state.withLock { state in
            guard let guest = state.guests[number] else { return News() }
            state.guests[number]?.due = [:]
            state.guests[number]?.isBeatDue = false
            let events = guest.due.map { Event(section: $0.key, sequence: $0.value) }
                .sorted { ($0.sequence, $0.section.rawValue) < ($1.sequence, $1.section.rawValue) }
            return News(events: events, isBeat: guest.isBeatDue)
        }
    }
}
