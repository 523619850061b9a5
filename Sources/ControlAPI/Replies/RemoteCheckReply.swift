package import SyncModel

/// One thing that was looked at, at the remote; an item of `GET /v1/checks`.
package struct RemoteCheckReply: Codable, Hashable, Sendable {
    /// `index`, `rules`.
    package var check: String
    /// `ok`, `warning`, `error` or `unknown`.
    package var level: String
    package var message: String
    @Nullable package var fix: String?

    package init(_ check: RemoteCheck) {
        self.check = check.check
        level = check.level.rawValue
        message = check.message
        fix = check.fix
    }
}
