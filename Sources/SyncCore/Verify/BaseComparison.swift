package import SyncModel

/// Compares what the remote shows with what this node believes it to hold.
package struct BaseComparison: Sendable {
    /// How the two differ.
    package enum Finding: String, Hashable, Sendable, CaseIterable {
        /// The remote has a record that this node does not know it has.
        case missingHere
        /// The remote has not the record that this node believes it to have.
        case missingThere
        /// Both have the record, and it is not the same.
        case differs
        /// A second key for a record.
        case secondKey
        /// What stands there can't be a record.
        case unreadable
        /// A key that is no UUID.
        case strayKey
    }

    private let reader: EntryReader

    package init(_ rules: CollectionRules, _ time: StampPolicy) { reader = EntryReader(rules: rules, time: time) }

    /// - Parameter state: the record whose id the entry's key is; nil where it is none.
    /// - Returns: nil where the two agree.
    package func finding(on entry: RemoteEntry, _ state: RecordState?) -> Finding? {
        guard let state else { return entry.value == .absent ? nil : .strayKey }
        let shown = reader.read(entry, in: .records(state.key.collection))
        guard case .record(let reading) = shown.value else { return .unreadable }
        if reading != .absent, state.remote != nil, state.remoteKey != shown.nonCanonicalKey { return .secondKey }
        guard reader.carefully(shown, over: state).isReadable else { return .unreadable }
        switch (reading, state.remote) {
        case (.absent, nil): return nil
        case (.absent, .some): return state.keyInRemote == entry.key ? .missingThere : nil
        case (_, nil): return .missingHere
        case (.stamped(let version), let remote?):
            let isKnown = remote.newestStamp == version.stamp && remote.content == version.content
            return isKnown && version.isWhole(over: remote) ? nil : .differs
        case (.foreign(let body), let remote?):
            return remote.stamp == nil && remote.content == body.content ? nil : .differs
        }
    }
}
