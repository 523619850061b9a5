internal import SyncModel

/// The numbers of collections. There are few of these: to compare their names costs much less than to hash one.
struct CollectionNumbers {
    private var collections: [CollectionID] = []
    private var numbers: [Int64] = []

    subscript(_ collection: CollectionID) -> Int64? {
        collections.firstIndex(of: collection).map { numbers[$0] }
    }

    /// Adds one that is not there yet.
    mutating func add(_ collection: CollectionID, _ number: Int64) {
        collections.append(collection)
        numbers.append(number)
    }
}
