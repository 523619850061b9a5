import SyncModel
import Testing

struct StampTests {
    static let node = NodeID(0x00C0_4FC9_64FF_B42D)

    static let rising: [Stamp] = [
        Stamp(physical: 0, counter: 0, node: NodeID(1)), Stamp(physical: 0, counter: 0, node: NodeID(2)),
        Stamp(physical: 0, counter: 1, node: NodeID(0)), Stamp(physical: 1, counter: 0, node: NodeID(0)),
        Stamp(physical: 1, counter: 9, node: node), Stamp(physical: 1, counter: 10, node: NodeID(1)),
        Stamp(physical: 1, counter: .max, node: NodeID(.max)), Stamp(physical: 255, counter: 0, node: node),
        Stamp(physical: 1_790_000_000_000, counter: 2, node: node),
        Stamp(physical: Stamp.maxPhysical, counter: .max, node: NodeID(.max)),
    ]

    @Test func `stamps are ordered by time, then counter, then node; texts and bytes alike`() {
        for (lower, higher) in zip(Self.rising, Self.rising.dropFirst()) {
            #expect(lower < higher)
            #expect(lower.description < higher.description)
            #expect(lower.bytes.lexicographicallyPrecedes(higher.bytes))
        }
    }

    @Test func `the text has a fixed width and lower case`() {
        let stamp = Stamp(physical: 0x01A0_C450_AECE, counter: 0x00FE, node: Self.node)
        #expect(stamp.description == "01a0c450aece-00fe-00c04fc964ffb42d")
    }

    @Test(arguments: rising)
    func `text and bytes read back what they wrote`(stamp: Stamp) {
        #expect(Stamp(stamp.description) == stamp)
        #expect(Stamp(bytes: stamp.bytes) == stamp)
        #expect(stamp.bytes.count == 16)
        #expect(stamp.description.utf8.count == 34)
    }

    @Test(arguments: [
        "", "01A0C450AECE-0000-00c04fc964ffb42d", "01a0c450aece-0000-00c04fc964ffb42",
        "01a0c450aece0000-00c04fc964ffb42d",
        "01a0c450aece-0000-00c04fc964ffb42d0", "01a0c450aec-00000-00c04fc964ffb42d",
        "g1a0c450aece-0000-00c04fc964ffb42d",
        "01a0c450aece-0000-00c04fc964ffb42d ", "-1a0c450aece-0000-00c04fc964ffb42d",
        "01a0c450aece--000-00c04fc964ffb42d",
        "01a0c450aece-00-0-00c04fc964ffb42d", "１1a0c450aece-0000-00c04fc964ff",
    ])
    func `anything else is no stamp`(text: String) { #expect(Stamp(text) == nil) }

    @Test(arguments: [0, 15, 17]) func `another number of bytes is no stamp`(count: Int) {
        #expect(Stamp(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test(arguments: rising.dropLast())
    func `the successor is just above the version and below every later edit`(stamp: Stamp) {
        let next = stamp.successor
        #expect(next > stamp)
        #expect(next == stamp.successor)
        #expect(next.node == stamp.node)
        #expect(next <= HybridClock.evenReading(above: stamp, node: NodeID(.max)))
        if stamp.counter.isMultiple(of: 2) {
            #expect(next < HybridClock.evenReading(above: stamp, node: NodeID(0)))
        }
    }

    @Test func `a full counter carries into the milliseconds`() {
        let full = Stamp(physical: 7, counter: .max, node: Self.node)
        #expect(full.successor == Stamp(physical: 8, counter: 0, node: Self.node))
        #expect(
            HybridClock.evenReading(above: full, node: NodeID(1)) == Stamp(physical: 8, counter: 0, node: NodeID(1)))
        let almost = Stamp(physical: 7, counter: .max - 1, node: Self.node)
        #expect(almost.successor == full)
        #expect(HybridClock.evenReading(above: almost, node: Self.node).physical == 8)
    }

    @Test func `a time beyond 48 bits is the largest`() {
        #expect(Stamp(physical: .max, counter: 0, node: Self.node).physical == Stamp.maxPhysical)
        #expect(Stamp.maxPhysical == 0xFFFF_FFFF_FFFF)
    }

    @Test(arguments: ["", "0", "00c04fc964ffb42dd", "00c04fc964ffb42g"])
    func `a node id is 16 hexadecimal digits`(text: String) {
        #expect(NodeID(text) == nil)
        #expect(NodeID(Self.node.description) == Self.node)
    }
}
