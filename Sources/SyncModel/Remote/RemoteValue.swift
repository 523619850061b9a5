/// What a remote holds under a key.
public enum RemoteValue: Hashable, Sendable {
    case absent
    /// A record: all its keys but the stamps and the server's time, which stand beside it.
    case record(fields: [String: JSONValue], stamps: RemoteStamps?)
    /// A tombstone, and the hash of the content it ended where it says so.
    case tombstone(stamp: Stamp, ended: ContentHash?)
    /// Something that can't be either: left untouched.
    case unreadable(Defect)
}
