/// The answer of `POST /v1/sync`.
package struct SyncReply: Codable, Hashable, Sendable {
    /// Whether nothing is pending, and a pull was complete since the request.
    package var done: Bool
    package var pending: Int
    /// Why it is not done, one line each; where it is, what is in quarantine, and may differ.
    package var reasons: [String]

    package init(done: Bool, pending: Int, reasons: [String] = []) {
        self.done = done
        self.pending = pending
        self.reasons = reasons
    }
}
