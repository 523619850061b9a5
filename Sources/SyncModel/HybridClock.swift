/// A hybrid logical clock (Kulkarni, Demirbas et al., 2014) that issues even counters only.
///
/// A value: whoever stamps something with it stores it in the same transaction. Readings strictly increase, whatever
/// the wall clock does, and across restarts when the clock starts from the stored reading.
public struct HybridClock: Hashable, Sendable {
    public let node: NodeID
    /// The highest reading issued or received.
    public private(set) var last: Stamp
    /// What ``last`` was when this node's id was made: its state held nothing above that. Nil where that was not noted.
    public let began: Stamp?

    /// Starts above `persisted`, the reading stored last, if there is one.
    public init(node: NodeID, persisted: Stamp? = nil, began: Stamp? = nil) {
        self.node = node
        self.began = began
        last = persisted ?? Stamp(physical: 0, counter: 0, node: node)
    }

    /// Issues the next reading: above all earlier ones and all received ones, and not below `wall`.
    ///
    /// - Parameter wall: milliseconds since 1970.
    public mutating func now(wall: UInt64) -> Stamp {
        if wall > last.physical {
            last = Stamp(physical: wall, counter: 0, node: node)
        } else {
            last = HybridClock.evenReading(above: last, node: node)
        }
        return last
    }

    /// Moves the clock to `stamp` where that is higher. The caller refuses stamps from the future first.
    public mutating func receive(_ stamp: Stamp) {
        if stamp > last { last = stamp }
    }

    /// The lowest stamp of `node` with an even counter that is above `stamp`, whatever the node of `stamp`.
    public static func evenReading(above stamp: Stamp, node: NodeID) -> Stamp {
        let next = (stamp.counter | 1) &+ 1
        return next == 0
            ? Stamp(physical: stamp.physical + 1, counter: 0, node: node)
            : Stamp(physical: stamp.physical, counter: next, node: node)
    }
}
