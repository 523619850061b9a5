/// What a node tells the others of itself.
package struct NodeCard: Hashable, Sendable {
    /// What people call it.
    package var name: String
    /// One word.
    package var version: String

    package init(name: String = "?", version: String = "?") {
        self.name = name
        self.version = version
    }
}
