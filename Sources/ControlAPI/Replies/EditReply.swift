/// What has become of one edit that was appended to the journal; the answer of `GET /v1/edits/COLLECTION/ID`.
package struct EditReply: Codable, Hashable, Sendable {
    /// Words are only ever added.
    package enum State: String, Codable, Sendable {
        /// The line has not been read yet.
        case unread
        /// It was applied, and the remote does not have it yet.
        case pending
        /// A hold keeps it until a person decides.
        case held
        /// The line can't be applied.
        case quarantined
        /// The remote does not take what it made.
        case refused
        /// The remote has it, or something later.
        case confirmed
        /// It waited in the quarantine or in a hold, or the remote refused what it made, and it was dropped there.
        case dropped
    }

    package var collection: String
    /// The record's UUID, upper case.
    package var id: String
    package var opID: String
    package var state: State
    /// Why it is not confirmed, or may have been dropped although later edits are, in one line for people.
    @Nullable package var reason: String?
    /// The number of the hold.
    @Nullable package var hold: Int64?
    /// The number of the item of the quarantine.
    @Nullable package var item: Int64?

    package init(
        collection: String, id: String, opID: String, state: State, reason: String? = nil, hold: Int64? = nil,
        item: Int64? = nil
    ) {
        self.collection = collection
        self.id = id
        self.opID = opID
        self.state = state
        self.reason = reason
        self.hold = hold
        self.item = item
    }
}
