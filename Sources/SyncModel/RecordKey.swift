/// A record's identity: which collection, which UUID.
public struct RecordKey: Hashable, Sendable {
    public let collection: CollectionID
    public let id: RecordID

    public init(_ collection: CollectionID, _ id: RecordID) {
        self.collection = collection
        self.id = id
    }
}
