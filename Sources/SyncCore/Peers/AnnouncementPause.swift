/// How long a node waits after it has told the others of itself, in milliseconds (`docs/protocol.md` section 6).
package enum AnnouncementPause {
    package static let shortest: UInt64 = 60_000
    package static let longest: UInt64 = 86_400_000

    /// - Parameters:
    ///   - hasNews: more tombstones are applied than was told, or anything of the collection has changed on the remote since.
    ///   - keep: how long tombstones are kept: who was not seen for so long is not waited for, so an idle node shows itself
    ///     several times within it.
    package static func after(hasNews: Bool, keep: UInt64) -> UInt64 {
        hasNews ? shortest : max(shortest, min(longest, keep / 4))
    }
}
