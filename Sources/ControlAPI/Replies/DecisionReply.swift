/// What a decision about a hold did, or would do.
package struct DecisionReply: Codable, Hashable, Sendable {
    /// False where it was only tried, and nothing was changed.
    package var done: Bool
    package var dryRun: Bool
    /// What the answer does: one line for people.
    package var effect: String
    /// How many records the hold named, and how many of them are deleted here.
    package var count: Int
    package var deletes: Int
    /// The first of these records.
    package var records: [RecordChangeReply]

    package init(
        dryRun: Bool, effect: String, count: Int = 0, deletes: Int = 0, records: [RecordChangeReply] = []
    ) {
        done = !dryRun
        self.dryRun = dryRun
        self.effect = effect
        self.count = count
        self.deletes = deletes
        self.records = records
    }
}
