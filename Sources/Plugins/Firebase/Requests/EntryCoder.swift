internal import FirebaseWire
internal import PluginKit
internal import SyncModel

/// Entries as the text of requests and answers.
enum EntryCoder {
    /// Reads what stands under a key. What can't be an entry of the keyspace is ``RemoteValue/unreadable(_:)``.
    static func entry(_ key: String, _ excerpt: JSONExcerpt, in keyspace: Keyspace, etag: String? = nil) -> RemoteEntry
    {
        switch excerpt {
        case .tooLong(let bytes): return tooLong(key, bytes, mebibytes: JSONExcerpt.limit >> 20, etag)
        case .text(let text):
            var entry = EntrySpelling.entry(key, text: text, in: keyspace, etag: etag)
            // A database has one ETag for nothing, and what answers null in its place has perhaps another.
            if entry.value == .absent, etag != FirebaseRemote.nothing { entry.etag = nil }
            // What nodes have written is theirs to read, whatever merging has made of it.
            guard text.count > Content.mostBytes, case .record(_, nil) = entry.value else { return entry }
            return tooLong(key, text.count, mebibytes: Content.mostBytes >> 20, etag)
        }
    }

    private static func tooLong(_ key: String, _ bytes: Int, mebibytes: Int, _ etag: String?) -> RemoteEntry {
        EntrySpelling.unreadable(
            key, "the body has \(bytes) bytes: more than \(mebibytes) MiB can't be a record", etag)
    }
}
