/// How many requests may be in flight at once: more while answers are quick, fewer when the server does not keep up.
package struct RequestWindow: Hashable, Sendable {
    package static let most = 64
    private var size = 8.0
    private var isProbing = true
    private var fastest: UInt64?

    package init() {}

    package var limit: Int { Int(size) }

    /// How many of them may write many records: enough that a server near by always has something to do, and so few that
    /// on a slow line none waits for long behind the others.
    package var batchLimit: Int { max(1, min(12, limit / 2)) }

    /// A request was answered after this many milliseconds.
    package mutating func answered(after milliseconds: UInt64) {
        fastest = min(fastest ?? milliseconds, milliseconds)
        guard milliseconds <= max(250, 4 * (fastest ?? 0)) else { return }
        size = min(Double(RequestWindow.most), size + (isProbing ? 1 : 1 / size))
    }

    /// The server asked for fewer, or did not answer.
    package mutating func congested() {
        isProbing = false
        size = max(1, size / 2)
    }
}
