/// How many entries a page of the base is asked for: as many as the remote, or what stands before it, lets through. The
/// next page begins with what has worked, or most requests would be refused.
struct PageSize: Sendable {
    private static let most = 1024

    /// Where nothing is refused.
    private let standard: Int
    private(set) var limit: Int
    /// How many pages of this size have come.
    private var answers = 0
    /// After how many of them more is tried again: each time that is in vain it takes longer.
    private var enough = 8
    /// More was tried since a page did not come.
    private var hasGrown = false

    init(standard: Int) { (self.standard, limit) = (standard, standard) }

    /// A page has come; after some of them more is tried again.
    mutating func answered() {
        guard limit < standard else { return }
        answers += 1
        guard answers >= enough else { return }
        (limit, answers, hasGrown) = (min(2 * limit, standard), 0, true)
    }

    /// A page of so many entries did not come.
    mutating func failed(at asked: Int) {
        (limit, answers) = (max(1, min(limit, asked / 2)), 0)
        if hasGrown { enough = min(2 * enough, PageSize.most) }
        hasGrown = false
    }
}
