public import SyncModel

/// A place outside this machine where records are kept.
///
/// ## Writing a remote
/// - Methods may be called concurrently. Cancelling the task ends a request or a listener at once.
/// - A thrown ``RemoteError`` says by its code whether anything may have been written. Anything else that is thrown
///   is treated as ``RemoteError/Code/outcomeUnknown``.
/// - A remote does not retry, except once after renewing its credential: the engine has one back-off for all.
public protocol Remote: Sendable {
    /// What is shown in status: `firebase`, and where it is, without any secret.
    var name: String { get }
    var address: String { get }

    /// Whether this remote keeps tombstones (`remote.meta` is not `none`).
    var keepsTombstones: Bool { get }

    var traffic: RemoteTraffic { get }

    /// Reads one key with its ETag. A missing key is `absent`, with the ETag for "nothing there".
    func read(_ key: String, in keyspace: Keyspace) async throws -> RemoteEntry

    /// Reads up to `limit` entries with `first <= key <= last`, without ETags, in the remote's own order of keys; keys
    /// that are UUIDs stand in the order of their bytes.
    func readRange(
        from first: String?, through last: String?, limit: Int, in keyspace: Keyspace
    ) async throws -> RemotePage

    /// All keys of the keyspace, without their values.
    func keys(in keyspace: Keyspace) async throws -> [String]

    /// Writes one key where the condition holds. Calling again with the same arguments is safe.
    func write(_ write: RemoteWrite, in keyspace: Keyspace, if condition: WriteCondition) async throws -> WriteOutcome

    /// Removes one key where it still has this ETag. The answer's ETag is that of "nothing there".
    func remove(_ key: String, in keyspace: Keyspace, ifMatches etag: String) async throws -> WriteOutcome

    /// Writes all elements or none, without a condition.
    ///
    /// A refusal by the server's rules throws ``RemoteError/Code/denied``.
    func writeBatch(_ elements: [BatchElement]) async throws

    /// Opens one event stream and hands events to `handler` until the stream ends, which it never does by itself
    /// without throwing. The first event is ``RemoteEvent/snapshotBegan``. `handler` is awaited: a slow one slows the
    /// stream, and memory stays bounded.
    ///
    /// - Parameter cursor: nil for the whole keyspace, else only what the server stamped at or after this time
    ///   (milliseconds since 1970). Never where the keys of the collection are made of fields.
    func listen(
        to keyspace: Keyspace, after cursor: UInt64?,
        handler: @Sendable ([RemoteEvent]) async throws -> Void
    ) async throws

    /// What all nodes have written of themselves, in the order of their ids. A remote without tombstones throws
    /// ``RemoteError/Code/refused``, also from the three below.
    func peers() async throws -> [RemotePeer]

    /// Writes a node's entry, seen now by the server's clock; collections that it does not name keep what was written.
    func announce(_ peer: RemotePeer) async throws

    /// The highest stamp of which tombstones of the collection may have ended.
    func horizon(of collection: CollectionID) async throws -> RemoteHorizon

    /// Raises the horizon where it still has this ETag.
    ///
    /// - Returns: whether it was raised; else it is another one now.
    func raiseHorizon(of collection: CollectionID, to stamp: Stamp, ifMatches etag: String) async throws -> Bool

    /// The people who may sign in there; nil where the remote knows none.
    var accounts: (any RemoteAccounts)? { get }

    /// Looks at how the remote is set up for what this node does there; changes nothing.
    func checks(_ keyspaces: [Keyspace], _ guarded: WriteGuard) async -> [RemoteCheck]

    /// Where pictures of people are kept; nil where this remote keeps none.
    var pictures: (any RemotePictures)? { get }

    /// Closes connections. Nothing may be called afterwards.
    func shutdown() async
}

extension Remote {
    public var pictures: (any RemotePictures)? { nil }
    public var accounts: (any RemoteAccounts)? { nil }

    public func checks(_ keyspaces: [Keyspace], _ guarded: WriteGuard) async -> [RemoteCheck] { [] }
}
