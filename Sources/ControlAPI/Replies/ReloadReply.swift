/// The answer of `POST /v1/reload`.
package struct ReloadReply: Codable, Hashable, Sendable {
    /// The keys whose new value is in force.
    package var reloaded: [String]
    /// The keys whose new value counts after a restart only.
    package var needsRestart: [String]

    /// The files beside the configuration that can't be read, and why, in a line for people each; left out where there
    /// are none.
    package var problems: [String]?

    package init(reloaded: [String], needsRestart: [String] = [], problems: [String] = []) {
        self.reloaded = reloaded
        self.needsRestart = needsRestart
        self.problems = problems.isEmpty ? nil : problems
    }
}
