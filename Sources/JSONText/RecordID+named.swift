internal import Crypto
package import SyncModel

extension RecordID {
    /// Never another one: all records that are known by their keys would get other ids.
    private static let namespace = RecordID(high: 0x7C1E_0B5A_93D4_4F62, low: 0xA8F3_2D61_40B7_9E15)

    /// The id of the record with a key that is made of fields: a UUID of version 5 of `reviews/348/anna`.
    package static func named(_ key: String, in collection: CollectionID) -> RecordID {
        .named("\(collection)/\(key)", in: namespace)
    }

    /// The UUID of version 5 of a name (RFC 9562, section 5.5).
    package static func named(_ name: String, in namespace: RecordID) -> RecordID {
        var hash = Insecure.SHA1()
        hash.update(data: namespace.bytes)
        hash.update(data: Array(name.utf8))
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x50
        bytes[8] = bytes[8] & 0x3F | 0x80
        return RecordID(bytes: bytes) ?? namespace
    }
}
