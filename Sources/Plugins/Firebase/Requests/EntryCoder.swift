internal import FirebaseWire
internal import PluginKit
internal import SyncModel

/// Entries as the text of requests and answers.
enum EntryCoder {
    /// Reads what stands under a key. What can't be an entry of the keyspace is ``RemoteValue/unreadable(_:)``.
    static func entry(_ key: String, _ excerpt: JSONExcerpt, in keyspace: Keyspace, etag: String? = nil) -> RemoteEntry
    {
        switch excerpt {
        case .tooLong(let bytes):
            let message = "the body has \(bytes) bytes: more than 1 MiB can't be a record"
            return EntrySpelling.unreadable(key, message, etag)
        case .text(let text):
            return EntrySpelling.entry(key, text: text, in: keyspace, etag: etag)
        }
    }
}
