package import SyncModel

/// How a collection is synced; fixed for the life of its machine.
package struct MachineSettings: Hashable, Sendable {
    package var pull: PullMode
    package var writeGuard: WriteGuard
    /// Whether the remote keeps tombstones.
    package var keepsTombstones: Bool
    /// How many acknowledged writes an open stream may owe before no more are sent.
    package var mostUnechoed: Int
    /// What stands for the place where the remote keeps the collection, and what nodes tell of themselves.
    package var place: String

    package init(
        pull: PullMode, writeGuard: WriteGuard, keepsTombstones: Bool, mostUnechoed: Int = 4500, place: String = ""
    ) {
        self.pull = pull
        self.writeGuard = writeGuard
        self.keepsTombstones = keepsTombstones
        self.mostUnechoed = mostUnechoed
        self.place = place
    }

    /// The keyspaces that are listened to.
    package func keyspaces(of id: CollectionID) -> [Keyspace] {
        keepsTombstones ? [.records(id), .tombstones(id)] : [.records(id)]
    }

    /// Those of a collection whose keys are made of fields: a database lists by time only what lies directly below a place,
    /// and rules can't make ids of keys.
    var forKeysOfFields: MachineSettings {
        var settings = self
        (settings.pull, settings.writeGuard) = (.full, .etag)
        return settings
    }
}
