/// What becomes of a heartbeat: whether it is called, and what of that is news.
package struct HeartbeatCourse: Sendable {
    /// How the last beat went.
    package enum Standing: Hashable, Sendable {
        /// Nothing was called yet.
        case new
        case beating
        /// Not called, for these reasons.
        case withheld([String])
        /// Called, but not answered as it should be.
        case failed(String)
    }

    package private(set) var standing = Standing.new

    package init() {}

    /// Takes in how a beat went.
    ///
    /// - Returns: whether that is another trouble than the last time, or the end of one. Reasons that only count
    ///   something else, such as a time that goes on, are no news.
    package mutating func note(_ now: Standing) -> Bool {
        defer { standing = now }
        switch (standing, now) {
        case (.withheld(let before), .withheld(let reasons)):
            return before.map(HeartbeatCourse.letters) != reasons.map(HeartbeatCourse.letters)
        case (.new, .beating): return false
        default: return standing != now
        }
    }

    private static func letters(_ text: String) -> String { text.filter { !$0.isNumber } }
}
