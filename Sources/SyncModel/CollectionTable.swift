/// Values by collections. There are few of these: to compare their names costs much less than to hash one.
package struct CollectionTable<Value> {
    @usableFromInline
    var entries: [(collection: CollectionID, value: Value)] = []

    @inlinable
    package init() {}

    @inlinable
    package init(_ values: [CollectionID: Value]) {
        for (collection, value) in values { add(collection, value) }
    }

    @inlinable
    package subscript(_ collection: CollectionID) -> Value? {
        for entry in entries where entry.collection == collection { return entry.value }
        return nil
    }

    /// Adds a collection that is not there yet.
    @inlinable
    package mutating func add(_ collection: CollectionID, _ value: Value) { entries.append((collection, value)) }
}

extension CollectionTable: Sendable where Value: Sendable {}
