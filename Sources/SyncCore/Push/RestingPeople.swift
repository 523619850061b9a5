internal import SyncModel

/// People in whose names nothing can be written now, as what they are signed in with can't be renewed. What they have written
/// waits: each is tried again by a back-off of their own, with one record, and holds up nobody else.
///
/// Until a request in somebody's name was answered one is made at a time: where nobody answers at all they would take up the
/// whole window.
struct RestingPeople: Sendable {
    private struct Person {
        var backoff = Backoff()
        /// When the next attempt is due, on the monotonic clock; nil while none has failed since the last that was answered.
        var due: UInt64?
        var wait: UInt64 = 0
        var reason: String?
        /// Requests in flight.
        var open = 0
        /// The record that the next attempt is made with.
        var trial: RecordID?
        var waiting: [RecordID] = []

        /// Whether anything of theirs waits, or is being tried.
        var rests: Bool { due != nil && (!waiting.isEmpty || trial != nil) }
    }

    /// Those who rest, and those of whom no request was answered yet: few, however many write.
    private var people: [String: Person] = [:]
    private var answered: Set<String> = []

    /// When the first of them is due, on the monotonic clock.
    var due: UInt64? { people.values.lazy.filter(\.rests).compactMap(\.due).min() }

    /// Why what these have written waits, by their `uid`.
    var reasons: [String: String] { people.compactMapValues { $0.rests ? $0.reason : nil } }

    /// A request is made in somebody's name.
    mutating func asked(_ person: String) {
        if !answered.contains(person) { people[person, default: Person()].open += 1 }
    }

    /// Whether a record has to wait; ``rested(at:)`` and ``answered(_:)`` give it back then.
    mutating func rests(_ id: RecordID, of person: String) -> Bool {
        guard let known = people[person], known.trial != id else { return false }
        guard known.due != nil || known.open > 0 else { return false }
        people[person]?.waiting.append(id)
        return true
    }

    /// Their request was answered, be it refused: whoever waits goes on.
    mutating func answered(_ person: String) -> [RecordID] {
        answered.insert(person)
        return people.removeValue(forKey: person)?.waiting ?? []
    }

    /// It was not made.
    ///
    /// - Parameter random: from 0 to 1.
    mutating func failed(_ person: String, _ reason: String, random: Double, at now: UInt64) {
        var known = people[person] ?? Person()
        answered.remove(person)
        known.open = max(0, known.open - 1)
        known.reason = reason
        // Those that were in flight together fail together.
        if known.trial != nil || known.due == nil {
            known.wait = known.backoff.failed(random: random).milliseconds
            known.due = now + known.wait
        }
        known.trial = nil
        people[person] = known
    }

    /// Takes one record of each whose time has come. Should nothing come of it, the next is taken as late again.
    mutating func rested(at now: UInt64) -> [RecordID] {
        var rested: [RecordID] = []
        for (name, known) in people.sorted(by: { $0.key < $1.key }) {
            guard let due = known.due, due <= now else { continue }
            if let first = known.waiting.first {
                people[name]?.waiting.removeFirst()
                people[name]?.trial = first
                rested.append(first)
            } else if known.open == 0 {
                people[name] = nil
            }
            people[name]?.due = now + known.wait
        }
        return rested
    }

    /// All are tried again at once.
    mutating func tryNow() {
        for name in people.keys where people[name]?.due != nil { people[name]?.due = 0 }
    }
}
