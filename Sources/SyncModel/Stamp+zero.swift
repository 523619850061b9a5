extension Stamp {
    /// Below every stamp of a node: of what nobody chose.
    public static let zero = Stamp(physical: 0, counter: 0, node: NodeID(0))

    /// A line of unknown time has a stamp below this one, and no other does: a day after the beginning of 1970.
    package static let earliestKnownTime = Stamp(physical: 86_400_000, counter: 0, node: NodeID(0))
}
