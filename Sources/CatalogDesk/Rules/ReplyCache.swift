/// The replies of one catalog, as many as there is room for; those that were not used for longest go first.
struct ReplyCache: Sendable {
    struct Entry: Hashable, Sendable {
        var reply: Reply
        var validator: String?
        /// Until this moment nobody has to ask again.
        var freshUntil: UInt64
    }

    /// In milliseconds: what a source that does not say is taken for, and what one may say at most.
    private static let usualAge: UInt64 = 300_000
    private static let longestAge: UInt64 = 6 * 3_600_000

    private let room: Int
    private var entries: [Question: (entry: Entry, used: UInt64)] = [:]
    private var weight = 0
    private var uses: UInt64 = 0

    /// - Parameter room: in rows.
    init(room: Int = 20_000) { self.room = room }

    var count: Int { entries.count }

    mutating func entry(_ question: Question) -> Entry? {
        guard let found = entries[question] else { return nil }
        uses += 1
        entries[question]?.used = uses
        return found.entry
    }

    mutating func put(_ reply: Reply, for question: Question, validator: String?, maxAge: Int?, at now: UInt64) {
        remove(question)
        let age = maxAge.map { min(UInt64(max(0, $0)), ReplyCache.longestAge / 1_000) * 1_000 } ?? ReplyCache.usualAge
        uses += 1
        entries[question] = (Entry(reply: reply, validator: validator, freshUntil: now + age), uses)
        weight += reply.weight
        while weight > room, let oldest = entries.min(by: { $0.value.used < $1.value.used }), entries.count > 1 {
            remove(oldest.key)
        }
    }

    private mutating func remove(_ question: Question) {
        guard let old = entries.removeValue(forKey: question) else { return }
        weight -= old.entry.reply.weight
    }
}
