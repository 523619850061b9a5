/// What the cache of pictures holds: which of them still count, and which have to go.
///
/// Times are milliseconds since 1970, sizes bytes.
struct CacheIndex {
    private struct Entry {
        var size: Int
        var made: UInt64
        var used: UInt64
    }

    enum Found: Hashable {
        case picture
        /// The source had none.
        case missing
        case unknown
    }

    private static let day: UInt64 = 86_400_000
    /// How long a picture is kept, as the terms of TMDB allow at most six months, and how long it is remembered that there
    /// is none.
    static let keep = 150 * day
    static let keepMissing = day

    /// In bytes; what is above goes at the next picture.
    var capacity: Int
    private var entries: [String: Entry] = [:]
    private(set) var size = 0

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { entries.count }

    /// What is known of a picture now; looking at one keeps it.
    mutating func find(_ name: String, at now: UInt64) -> Found {
        guard let entry = entries[name] else { return .unknown }
        let age = now - min(now, entry.made)
        guard age < (entry.size == 0 ? CacheIndex.keepMissing : CacheIndex.keep) else { return .unknown }
        entries[name]?.used = now
        return entry.size == 0 ? .missing : .picture
    }

    /// Takes in a picture; one without any bytes says that there is none. Returns the names of those that must go for it,
    /// the longest unused first.
    mutating func add(_ name: String, size added: Int, made: UInt64) -> [String] {
        remove(name)
        entries[name] = Entry(size: added, made: made, used: made)
        size += added
        return size > capacity ? shrink(to: capacity - capacity / 10, keeping: name) : []
    }

    /// Takes out what is longest unused until the rest has no more than `limit` bytes; returns the names of those.
    mutating func shrink(to limit: Int, keeping name: String? = nil) -> [String] {
        var gone: [String] = []
        for (old, entry) in entries.sorted(by: { ($0.value.used, $0.key) < ($1.value.used, $1.key) }) where old != name
        {
            guard size > limit else { break }
            size -= entry.size
            entries[old] = nil
            gone.append(old)
        }
        return gone
    }

    mutating func remove(_ name: String) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        size -= entry.size
    }
}
