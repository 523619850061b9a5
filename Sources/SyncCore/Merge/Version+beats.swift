package import SyncModel

extension Version {
    /// Whether this version wins over `other`: the higher stamp, and for equal stamps the higher content hash.
    ///
    /// Symmetric (`a.beats(b)` and `b.beats(a)` are never both true), transitive, and false for equal versions: so
    /// merging is commutative, associative and idempotent (`docs/protocol.md` section 4).
    package func beats(_ other: Version) -> Bool {
        (stamp, hash) > (other.stamp, other.hash)
    }

    /// The winner of two versions of one record.
    package static func merged(_ left: Version, _ right: Version) -> Version {
        right.beats(left) ? right : left
    }
}
