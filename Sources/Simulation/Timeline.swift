/// Simulated time, and what is to happen in it: one thing after the other, those of one moment in the order they were asked
/// for.
final class Timeline {
    private struct Entry {
        var at: UInt64
        var order: UInt64
        var action: () -> Void

        func precedes(_ other: Entry) -> Bool { (at, order) < (other.at, other.order) }
    }

    /// Milliseconds since 1970: the true time, which is also the server's.
    private(set) var now: UInt64
    private var heap: [Entry] = []
    private var asked: UInt64 = 0
    /// How many things have happened.
    private(set) var actions = 0

    init(startingAt now: UInt64) { self.now = now }

    /// Does `action` that many milliseconds from now.
    func after(_ milliseconds: UInt64, _ action: @escaping () -> Void) {
        asked += 1
        heap.append(Entry(at: now + milliseconds, order: asked, action: action))
        var child = heap.count - 1
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Does what is due up to `end`, while `goesOn` says so, and then is at `end`.
    func run(until end: UInt64, while goesOn: () -> Bool = { true }) {
        while let next = heap.first, next.at <= end, goesOn() {
            removeFirst()
            now = max(now, next.at)
            actions += 1
            next.action()
        }
        if goesOn() { now = max(now, end) }
    }

    /// Forgets what was to happen: with it everything that waits goes.
    func end() { heap = [] }

    /// Lets time pass in which nothing happens: what was due meanwhile happens at its end.
    func leap(to later: UInt64) { now = max(now, later) }

    private func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].precedes(heap[least]) { least = child }
            }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
