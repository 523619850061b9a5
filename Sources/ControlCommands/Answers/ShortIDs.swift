/// How many characters of an id are enough to tell it from all others.
struct ShortIDs: Sendable {
    /// By id; ids that are not in here stand as they are.
    private let lengths: [String: Int]

    /// Nobody types fewer than these.
    private static let least = 8

    /// Ids are shown whole.
    static let whole = ShortIDs(lengths: [:])

    private init(lengths: [String: Int]) { self.lengths = lengths }

    /// - Parameter all: every id that there is, in whatever order.
    init(of all: [String]) {
        var lengths: [String: Int] = [:]
        let sorted = all.sorted()
        for (index, id) in sorted.enumerated() {
            var shared = 0
            if index > 0 { shared = max(shared, ShortIDs.shared(id, sorted[index - 1])) }
            if index + 1 < sorted.count { shared = max(shared, ShortIDs.shared(id, sorted[index + 1])) }
            lengths[id] = max(ShortIDs.least, shared + 1)
        }
        self.lengths = lengths
    }

    func text(_ id: String) -> String { lengths[id].map { String(id.prefix($0)) } ?? id }

    private static func shared(_ left: String, _ right: String) -> Int {
        zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
    }
}
