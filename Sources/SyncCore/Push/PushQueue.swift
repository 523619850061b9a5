internal import SyncModel

/// The records that must be pushed, in the order they came: an index in memory of a condition in the book.
struct PushQueue: Sendable {
    private var ids: [RecordID] = []
    private var head = 0
    private var queued: Set<RecordID> = []

    var isEmpty: Bool { queued.isEmpty }

    mutating func append(_ id: RecordID) {
        if queued.insert(id).inserted { ids.append(id) }
    }

    mutating func popFirst() -> RecordID? {
        guard head < ids.count else { return nil }
        let id = ids[head]
        head += 1
        queued.remove(id)
        if head == ids.count || head > max(4096, ids.count / 2) {
            ids.removeFirst(head)
            head = 0
        }
        return id
    }
}
