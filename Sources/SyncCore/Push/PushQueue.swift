internal import SyncModel

/// The records that must be pushed, in the order they came, each once: an index in memory of a condition in the book.
///
/// A million may wait, so that an id takes little more than its own 16 bytes: the table that finds it has its number alone.
struct PushQueue: Sendable {
    /// The ids by their numbers, in pieces that are let go of as they are passed.
    private var chunks: [[RecordID]] = []
    /// The number of the first id in the first chunk, of the first one that is still queued, and of the next that comes.
    private var (base, head, end) = (0, 0, 0)
    /// By their hashes the numbers of those queued, plus one; 0 is free. Whoever finds a place taken goes on to the next.
    private var slots: [UInt32] = []

    private static let chunk = 4096
    /// Another one in every process.
    private static let secret = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))

    var isEmpty: Bool { head == end }

    mutating func append(_ id: RecordID) {
        if 4 * (end - head + 1) > 3 * slots.count || end == UInt32.max { rebuild() }
        var slot = home(id)
        while slots[slot] != 0 {
            if self[Int(slots[slot]) - 1] == id { return }
            slot = next(slot)
        }
        slots[slot] = UInt32(end + 1)
        if end - base == chunks.count * PushQueue.chunk { chunks.append([]) }
        chunks[chunks.count - 1].append(id)
        end += 1
    }

    mutating func popFirst() -> RecordID? {
        guard head < end else { return nil }
        let id = self[head]
        var slot = home(id)
        while slots[slot] != UInt32(head + 1) { slot = next(slot) }
        free(slot)
        head += 1
        if isEmpty {
            self = PushQueue()
        } else if head - base == PushQueue.chunk {
            chunks.removeFirst()
            base = head
        }
        return id
    }

    private subscript(number: Int) -> RecordID {
        chunks[(number - base) / PushQueue.chunk][(number - base) % PushQueue.chunk]
    }

    /// Where an id would stand in a table without others: the two halves of a product that holds every bit of it.
    ///
    /// Much cheaper than its `hashValue`, and asked for all that stand beside a hole. People choose ids, and nobody knows
    /// the secret.
    private func home(_ id: RecordID) -> Int {
        let secret = PushQueue.secret
        let product = (id.high ^ secret.0).multipliedFullWidth(by: id.low ^ secret.1)
        return Int(truncatingIfNeeded: product.high ^ product.low) & (slots.count - 1)
    }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }

    /// Takes a number out of the table; those behind it move up, where that brings them nearer to their homes.
    private mutating func free(_ slot: Int) {
        let mask = slots.count - 1
        var (hole, place) = (slot, next(slot))
        while slots[place] != 0 {
            let distance = (place - home(self[Int(slots[place]) - 1])) & mask
            if distance >= (place - hole) & mask {
                slots[hole] = slots[place]
                hole = place
            }
            place = next(place)
        }
        slots[hole] = 0
    }

    /// Makes the table large enough for twice as many, and numbers from the first chunk on.
    private mutating func rebuild() {
        (base, head, end) = (0, head - base, end - base)
        var size = 16
        while size < 2 * (end - head + 1) { size *= 2 }
        slots = Array(repeating: 0, count: size)
        for number in head..<end {
            var slot = home(self[number])
            while slots[slot] != 0 { slot = next(slot) }
            slots[slot] = UInt32(number + 1)
        }
    }
}
