internal import DatabaseTree
internal import SecurityRules

/// Telling who listens.
extension CommitQueue {
    /// Tells who listens of changes, in their order, and ends before each the streams that may not read any more because of it.
    ///
    /// - Parameter isLarge: whether that may take long.
    func tell(_ changes: [CommittedChange], isLarge: Bool = false) {
        guard !changes.isEmpty else { return }
        let databases = Set(changes.map(\.after.database))
        let rules = databases.compactMap { rulesStore.rules($0) }
        guard rules.contains(where: \.readsDependOnData) else { return listeners.publish(changes, isLarge: isLarge) }
        for change in changes {
            if let rules = rulesStore.rules(change.after.database), rules.readsDependOnData {
                listeners.cancel(in: change.after, by: rules, now: wallClock())
            }
            listeners.publish([change], isLarge: isLarge)
        }
    }
}
