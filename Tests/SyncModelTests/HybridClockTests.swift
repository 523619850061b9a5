import SyncModel
import TestSupport
import Testing

struct HybridClockTests {
    @Test func `readings strictly rise whatever the wall does, across restarts and received stamps`() {
        var random = SeededRandom(1)
        var clock = HybridClock(node: NodeID(5))
        var last = clock.last
        for _ in 0..<20_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let other = Stamp(
                    physical: UInt64.random(in: 0...2000), counter: .random(in: 0 ... .max), node: NodeID(9))
                clock.receive(other)
                last = max(last, other)
            case 1: clock = HybridClock(node: NodeID(5), persisted: clock.last)
            default:
                let reading = clock.now(wall: UInt64.random(in: 0...2000, using: &random))
                #expect(reading > last)
                #expect(reading.counter.isMultiple(of: 2))
                #expect(reading.node == NodeID(5))
                last = reading
            }
            #expect(clock.last == last)
        }
    }

    @Test func `the wall leads when it is ahead`() {
        var clock = HybridClock(node: NodeID(1), persisted: Stamp(physical: 10, counter: 6, node: NodeID(2)))
        #expect(clock.now(wall: 500) == Stamp(physical: 500, counter: 0, node: NodeID(1)))
    }

    @Test func `a wall that stands still or steps back counts up in twos`() {
        var clock = HybridClock(node: NodeID(1))
        let walls: [UInt64] = [500, 500, 100]
        let readings = walls.map { clock.now(wall: $0) }
        #expect(readings.map(\.physical) == [500, 500, 500])
        #expect(readings.map(\.counter) == [0, 2, 4])
    }

    @Test func `a reading is above a received stamp of a higher node and an odd counter`() {
        var clock = HybridClock(node: NodeID(1))
        let other = Stamp(physical: 800, counter: 3, node: NodeID(.max))
        clock.receive(other)
        #expect(clock.now(wall: 500) == Stamp(physical: 800, counter: 4, node: NodeID(1)))
    }

    @Test func `receiving an old stamp changes nothing`() {
        var clock = HybridClock(node: NodeID(1))
        _ = clock.now(wall: 500)
        let before = clock
        clock.receive(Stamp(physical: 499, counter: 8, node: NodeID(2)))
        #expect(clock == before)
    }
}
