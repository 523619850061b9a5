extension Stamp {
    /// Below every stamp of a node: of what nobody chose.
    public static let zero = Stamp(physical: 0, counter: 0, node: NodeID(0))
}
