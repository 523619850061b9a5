internal import SyncModel

/// What is known of records that apps move from one key to another.
struct AppMoves {
    /// Which record an app is about to leave the key of, that it has written under another one: no delete.
    var current: RecordID?
    private var begun: [RecordID: UInt64] = [:]
    /// When one of two keys was removed.
    private var keysRemoved: [RecordID: [UInt64]] = [:]

    /// Nodes look so long whether a record stands nowhere, in milliseconds.
    private static let pause: UInt64 = 3_000

    /// When an app leaves the key of a record that it has copied just now: from 5 to 400 ms later.
    mutating func begin(_ id: RecordID, number: Int, now: UInt64) -> UInt64 {
        begun[id] = now
        return [5, 40, 120, 400][number % 4]
    }

    /// What was moved a moment ago may be lost where something goes wrong.
    func mayBeLost(_ id: RecordID, now: UInt64) -> Bool { begun[id].map { now < $0 + 2 * AppMoves.pause } ?? false }

    mutating func oneKeyIsLeft(of id: RecordID, now: UInt64) { keysRemoved[id, default: []].append(now) }

    /// Whether an app's delete comes so soon after one of two keys was removed that it may be the rest of a move.
    func mayEnd(_ id: RecordID, at time: UInt64, slack: UInt64) -> Bool {
        keysRemoved[id, default: []].contains { $0 <= time && time < $0 + AppMoves.pause + slack }
    }
}
