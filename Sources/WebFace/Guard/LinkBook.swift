/// The links that sign a browser in, each once. A pure value: time is an argument, in milliseconds since 1970.
struct LinkBook: Sendable {
    enum Answer: Hashable, Sendable { case good, used, tooOld }

    private struct Link {
        var hash: String
        var expires: UInt64
        var isUsed = false
    }

    /// How long a link is good for, in milliseconds.
    static let lifetime: UInt64 = 60_000
    /// So many are remembered, used ones among them; the oldest goes first.
    static let capacity = 64

    private var links: [Link] = []

    /// Notes a link, and returns until when it is good.
    mutating func add(_ secret: String, now: UInt64) -> UInt64 {
        links.append(Link(hash: Secret.hash(of: secret), expires: now + LinkBook.lifetime))
        links.removeFirst(max(0, links.count - LinkBook.capacity))
        return now + LinkBook.lifetime
    }

    /// Uses a link up; a stranger's guess is as one that is too old.
    mutating func use(_ secret: String, now: UInt64) -> Answer {
        let hash = Secret.hash(of: secret)
        guard let index = links.firstIndex(where: { $0.hash == hash }) else { return .tooOld }
        if links[index].isUsed { return .used }
        guard now < links[index].expires else { return .tooOld }
        links[index].isUsed = true
        return .good
    }
}
