internal import SyncModel

/// Names and values, as a query and a form have them. What can't be decoded is left out.
struct Query: Hashable, Sendable {
    private var pairs: [(name: String, value: String)] = []

    /// So many are read.
    private static let capacity = 2_000

    init(_ text: some StringProtocol) {
        for pair in Substring(text).split(separator: "&").prefix(Query.capacity) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decoded(parts[0], plusIsSpace: true),
                let value = PercentEncoding.decoded(parts.count > 1 ? parts[1] : "", plusIsSpace: true)
            else { continue }
            pairs.append((name, value))
        }
    }

    /// The first value of that name.
    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// All values of that name.
    func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    static func == (left: Query, right: Query) -> Bool {
        left.pairs.elementsEqual(right.pairs) { $0 == $1 }
    }

    func hash(into hasher: inout Hasher) {
        for pair in pairs {
            hasher.combine(pair.name)
            hasher.combine(pair.value)
        }
    }
}
