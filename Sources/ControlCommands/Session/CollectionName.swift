internal import ArgumentParser
internal import SyncModel

/// The name of a collection, as typed.
struct CollectionName: Hashable, Sendable, ExpressibleByArgument, CustomStringConvertible {
    let id: CollectionID

    init(_ id: CollectionID) { self.id = id }

    init?(argument: String) {
        guard let id = CollectionID(argument) else { return nil }
        self.id = id
    }

    static let `default` = CollectionName(.default)

    var description: String { id.name }
}
