/// The answer of `POST /v1/reload`.
package struct ReloadReply: Codable, Hashable, Sendable {
    /// The keys whose new value is in force.
    package var reloaded: [String]
    /// The keys whose new value counts after a restart only.
    package var needsRestart: [String]

    package init(reloaded: [String], needsRestart: [String] = []) {
        self.reloaded = reloaded
        self.needsRestart = needsRestart
    }
}
