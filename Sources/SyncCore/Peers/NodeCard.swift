/// What a node tells the others of itself.
package struct NodeCard: Hashable, Sendable {
    /// What people call it.
    package var name: String
    /// One word.
    package var version: String
    /// What stands for the declaration of the collection; nil where it is compiled in.
    package var declaration: String?

    package init(name: String = "?", version: String = "?", declaration: String? = nil) {
        self.name = name
        self.version = version
        self.declaration = declaration
    }
}
