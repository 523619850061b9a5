package import ControlAPI
package import SyncModel

extension FakeControlService {
    /// 2026-11-20T20:15:04.120Z, when all samples happened.
    package static let moment = Moment(milliseconds: 1_795_205_704_120)

    package static let sampleStatus = StatusSnapshot(
        node: "00000000000000aa", pid: 4711, startedAt: moment, state: .running,
        journal: JournalStatus(path: "/var/spool/moviesync/journal.jsonl", offset: 90, size: 100, lines: 3),
        collections: ["movies": CollectionStatus(records: 2, pending: 1, oldestPendingSeconds: 1.5)],
        remote: RemoteStatus(plugin: "local", url: "http://127.0.0.1:9000", stream: .live, lastPushAt: moment),
        lastChange: 2
    )

    package static let movies = CollectionSchema(
        name: "movies", titleField: "title", columns: ["title", "year", "hasWatched"], defaults: ["hasWatched": false],
        textFields: ["title"], identityFields: ["identifier"])
    package static let artists = CollectionSchema(
        name: "artists", titleField: "name", columns: ["name", "yearFormed", "biography"],
        textFields: ["biography", "name"])
    /// A collection that is not compiled in.
    package static let books = CollectionSchema(
        name: "books", titleField: "name", columns: ["author", "name", "isRead"],
        defaults: ["isRead": false, "copies": 1], textFields: ["isbn", "name"])

    package static let alienID = "6F9619FF-8B86-4011-B42D-00C04FC964FF"
    package static let brazilID = "6F000000-8B86-4011-B42D-00C04FC964FF"

    package static let alien = RecordReply(
        collection: "movies", id: alienID, fields: ["title": "Alien", "hasWatched": true, "year": 1979],
        stamp: "019a9d2f1a38-0000-00000000000000aa", base: .init(stamp: "019a9d2f1a38-0000-00000000000000aa", etag: "x")
    )

    package static let brazil = RecordReply(
        collection: "movies", id: brazilID, fields: ["title": "Brazil", "hasWatched": false],
        stamp: "019a9d2f1a38-0002-00000000000000aa", pending: true, reason: "the remote is down"
    )

    package static let hold = HoldReply(
        id: 7, kind: "massDelete", collection: "movies", direction: .pull, reason: "12 of 20 records would be deleted",
        since: moment, approve: "deletes these records here too", reject: "keeps these records", count: 12,
        records: [
            HeldRecordReply(
                collection: "movies", id: alienID, title: "Alien", what: .init(approve: "deleted", reject: "kept"))
        ]
    )

    /// What a decision about ``hold`` did, or would do.
    package static func decision(dryRun: Bool) -> DecisionReply {
        DecisionReply(
            dryRun: dryRun, effect: "deletes these records here too", count: 12, deletes: 12,
            records: [
                RecordChangeReply(
                    collection: "movies", id: alienID, title: "Alien", what: "deleted",
                    before: ["title": "Alien", "hasWatched": true], after: [:])
            ])
    }

    /// The history of ``alien``.
    package static let history = HistoryReply(
        collection: "movies", id: alienID,
        items: [
            .init(
                seq: 2, at: moment, op: "update", who: "this node", origin: "remote", stamp: alien.stamp, rule: nil,
                fields: [.init(name: "hasWatched", before: false, after: true, who: "app")])
        ], next: nil, complete: false, keptSince: moment)

    package static let quarantined = QuarantineReply(
        id: 3, source: .journal, code: "invalidJSON", reason: "this is not a JSON object", since: moment,
        file: "/var/spool/moviesync/journal.jsonl", offset: 40, length: 12
    )

    package static let conflict = ConflictReply(
        id: 5, collection: "movies", record: alienID, at: moment, rule: "higherStamp",
        winner: .init(
            stamp: "019a9d2f1a38-0002-00000000000000aa", node: "00000000000000aa", fields: ["title": "Alien"]),
        loser: .init(stamp: nil, node: nil, fields: ["title": "Aliens"])
    )

    /// The change number `sequence`.
    package static func change(_ sequence: Int64) -> ChangeReply {
        ChangeReply(
            seq: sequence, op: .create, collection: "movies", id: alienID, fields: alien.fields, stamp: alien.stamp,
            origin: .journal, at: moment
        )
    }

    /// A fake with one of everything.
    /// This node, and one that lags behind.
    package static let nodes = [
        NodeReply(
            id: "00000000000000aa", name: "attic", version: "0.1.0", lastSeenAt: moment, isThis: true,
            collections: ["movies": .init(appliedAt: moment, behindSeconds: 0)]),
        NodeReply(
            id: "00000000000000bb", name: "cellar", version: "0.0.9", lastSeenAt: nil,
            collections: [
                "artists": .init(appliedAt: nil, behindSeconds: nil),
                "movies": .init(appliedAt: Moment(milliseconds: moment.milliseconds - 7_200_000), behindSeconds: 7200),
            ]),
    ]

    package static func full() -> FakeControlService {
        var state = State()
        state.records = [alien, brazil]
        state.holds = [hold]
        state.quarantine = [quarantined]
        state.conflicts = [conflict]
        state.changes = [change(1), change(2)]
        state.nodes = nodes
        return FakeControlService(state)
    }
}
