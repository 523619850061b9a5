package import SyncModel

extension CollectionMachine {
    /// What happens to a collection.
    package enum Input: Sendable {
        /// The first input: the machine looks at what is pending, and opens its streams.
        case start
        /// A stream that `listen` opened has shown something.
        case events(Keyspace, stream: Int, [RemoteEvent])
        /// It ended.
        case streamEnded(Keyspace, stream: Int, RemoteError)
        /// Lines of the journal were put into quarantine, perhaps updates of records that are not there.
        case setAside
        /// A request was answered, or has failed.
        case answered(request: Int, Result<Answer, RemoteError>)
        /// Records were changed in the book by somebody else: operations of the journal, decisions of a person.
        case edited([RecordID])
        /// What other nodes are told of this one from now on.
        case card(NodeCard)
        /// The directions that a person has paused.
        case paused(Set<Direction>)
        /// A person asks for a sync now: waits end.
        case retryNow
        /// These entries of the remote are to be read again, also the `tombstones` of these records where that is said; else
        /// only those that are in quarantine.
        case readAgain([RecordID], tombstones: Bool = false)
        /// Records that were gone are deleted, as a person wants it. Where only changes are shown, nothing has told whether an
        /// app has put one back meanwhile.
        case absenceApproved
        /// What stands under these keys of the remote is to be read again, whether this node knows of it or not.
        case readKeys([String])
        /// These keys stand beside others of the same records: they are to be merged, and removed.
        case secondKeys([String])
        /// The keys of both sides are to be compared.
        case reconcile
        /// The moment that `wake` asked for has come; also safe at any other.
        case time

        /// About how many records it concerns.
        package var size: Int {
            switch self {
            case .events(_, _, let events): events.entryCount
            case .answered(_, .success(let answer)): answer.size
            case .edited(let ids), .readAgain(let ids, _): ids.count
            case .readKeys(let keys), .secondKeys(let keys): keys.count
            case .start, .reconcile, .absenceApproved: SentBatch.most
            case .streamEnded, .answered(_, .failure), .setAside, .card, .paused, .retryNow, .time: 1
            }
        }
    }

    /// What a request showed.
    package enum Answer: Sendable {
        case entry(RemoteEntry)
        case page(RemotePage)
        case keys([String])
        case outcome(WriteOutcome)
        /// A batch, or this node's own entry, was written.
        case done
        case peers([RemotePeer])
        case horizon(RemoteHorizon)
        /// Whether the horizon was raised; else it is another one now.
        case raised(Bool)

        fileprivate var size: Int {
            switch self {
            case .entry, .outcome, .horizon, .raised: 1
            case .page(let page): page.entries.count
            case .keys(let keys): keys.count
            case .peers(let peers): peers.count
            case .done: SentBatch.most
            }
        }
    }

    /// What the shell must do, once the transaction has committed; in this order.
    package enum Effect: Sendable {
        /// Sends a request; its answer is an input.
        case send(Request)
        /// Opens a stream, in place of one of the same keyspace that may be open.
        case listen(Keyspace, stream: Int, after: UInt64?)
        case close(Keyspace)
        /// An input `time` is wanted at this moment of the monotonic clock, in place of one that was asked for earlier.
        case wake(at: UInt64)
        case note(Note)
    }

    package struct Request: Sendable {
        package let number: Int
        package let call: RemoteCall
        /// In whose name it is made where they are signed in, by the `uid`; nil for what the daemon does for all.
        package let person: String?
    }

    /// What status and log hear of.
    package enum Note: Sendable {
        case stream(Keyspace, StreamPhase)
        case streamDown(Keyspace, RemoteError, retryIn: UInt64)
        case snapshotMerged(Keyspace, entries: Int)
        case failed(RemoteError, retryIn: UInt64)
        /// A request that writes has failed; ``failed(_:retryIn:)`` follows where all have to wait for that.
        case writeFailed(RemoteError)
        case succeeded(writing: Bool)
        case acknowledged(records: Int)
        case refused(RecordID, RemoteError)
        case quarantined(key: String, Defect)
        /// Records came in.
        case ingested(Int)
        /// Hints not yet answered, requests in flight, and what the stream has not confirmed.
        case unconfirmed(Int)
        /// Why what these people have written waits, by their `uid`.
        case resting(people: [String: String])
        /// This node was away for longer than tombstones are kept, since this time of the server: it compares everything.
        case fenced(since: UInt64?)
        /// The remote was set back to an older state, as the entry of this node says, or, where only changes are pulled, the
        /// newest it had shown, a record or a tombstone, which it does not show: everything is compared.
        case setBack(Keyspace, RecordID?)
        /// What was shown was written later than the server says that it is now.
        case serverTimeSetBack(Keyspace)
        /// So many tombstones have ended.
        case tombstonesEnded(Int)
    }

    package enum StreamPhase: String, Hashable, Sendable { case connecting, snapshot, live, down }
}

/// A call of ``Remote``, as a value.
package enum RemoteCall: Hashable, Sendable {
    case read(String, Keyspace)
    case readRange(from: String?, through: String?, limit: Int, Keyspace)
    case keys(Keyspace)
    case write(RemoteWrite, Keyspace, WriteCondition)
    case remove(String, Keyspace, etag: String)
    case writeBatch([BatchElement])
    case peers
    case announce(RemotePeer)
    case horizon(CollectionID)
    case raiseHorizon(CollectionID, to: Stamp, etag: String)
}
