package import SyncModel

/// The body of a `PATCH`: values to put at several places at once, all or none.
package struct WirePatch: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        /// Relative to the request's path; has at least one key.
        package let path: WirePath
        /// Null deletes.
        package let value: JSONValue
    }

    /// In the order of their paths; no path is equal to or above another.
    package let entries: [Entry]

    /// Reads a body whose keys are relative paths.
    ///
    /// Throws a refusal (400) where a key is no path, a value can't be stored, or one path is equal to or above another.
    /// - Parameter base: the path of the request; counts for the depth.
    package init(_ body: [String: JSONValue], base: WirePath) throws(WireRefusal) {
        var entries: [Entry] = []
        entries.reserveCapacity(body.count)
        for (text, value) in body {
            let path = try WirePath(parsing: text)
            guard !path.isRoot else { throw .invalidPath }
            let depth = base.keys.count + path.keys.count
            guard depth <= WirePath.maxDepth else { throw .tooDeep }
            try WireValue.check(value, depth: depth)
            entries.append(Entry(path: path, value: value))
        }
        entries.sort { $0.path < $1.path }
        for (earlier, later) in zip(entries, entries.dropFirst()) where earlier.path.contains(later.path) {
            throw .badRequest("Invalid data; \(earlier.path) is equal to or above \(later.path) in one update")
        }
        self.entries = entries
    }
}
