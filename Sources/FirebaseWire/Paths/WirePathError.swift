/// Why text is no path of the database.
package enum WirePathError: Error, Hashable, Sendable {
    /// A segment can't be a key.
    case invalidKey
    /// There are more than ``WirePath/maxDepth`` keys.
    case tooDeep
}
