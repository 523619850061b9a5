import LocalStore
import SyncCore
import SyncModel

extension MachineUnderTest {
    /// One that is live, with so many films on both sides.
    static func live(_ count: UInt64, pull: PullMode = .full) throws -> MachineUnderTest {
        let machine = try MachineUnderTest(pull: pull)
        machine.fill(count)
        try machine.goLive()
        return machine
    }

    /// The streams are opened and show their snapshots, and all that is asked for is answered.
    func goLive(order: [String]? = nil) throws {
        try take(.start)
        if settings.pull == .incremental {
            try settle()
            try snapshotOfChanges()
            if settings.keepsTombstones { try snapshotOfChanges(MachineUnderTest.tombstones) }
            return try settle()
        }
        if settings.keepsTombstones { try snapshot(MachineUnderTest.tombstones) }
        try snapshot(order: order)
        try settle()
    }

    /// The stream shows what was written since the cursor, as a remote does; everything where there is none.
    func snapshotOfChanges(_ keyspace: Keyspace = records) throws {
        guard let after = streams[keyspace]?.after else { return try snapshot(keyspace) }
        try snapshot(
            keyspace, order: server.keys(keyspace).filter { server.entry($0, in: keyspace).serverTime ?? 0 >= after })
    }

    /// All streams that are open show that, and what is asked for then is answered.
    func showChanges() throws {
        for keyspace in settings.keyspaces(of: "movies") where streams[keyspace] != nil {
            try snapshotOfChanges(keyspace)
        }
        try settle()
    }

    /// The streams go down, the remote is what this is, and they are opened again, or the daemon is started again.
    func comeBack(to server: ServerUnderTest, restarting: Bool) throws {
        self.server = server
        // An older copy has no older clock.
        self.server.time = wall
        if restarting {
            try restart()
            try take(.start)
        } else {
            for keyspace in settings.keyspaces(of: "movies") { try reconnect(keyspace) }
        }
    }

    /// One that is live, with so many films of another node.
    static func live(_ films: UInt64, _ pull: PullMode, keepsTombstones: Bool = true) throws -> MachineUnderTest {
        let machine = try MachineUnderTest(pull: pull, keepsTombstones: keepsTombstones)
        machine.fill(films)
        try machine.take(.start)
        try machine.settleAndShow()
        return machine
    }

    /// All is answered, and the streams show what has changed.
    func settleAndShow() throws {
        try settle()
        try showChanges()
    }

    /// The remote is what it was then, and shows all of that: once more where everything is loaded anew.
    func setBack(to server: ServerUnderTest, restarting: Bool = false) throws {
        try comeBack(to: server, restarting: restarting)
        for _ in 0..<2 { try settleAndShow() }
    }

    /// The stream tells, at once, what stands under the keys of these films now.
    func tell(all numbers: some Sequence<UInt64>) throws {
        try events(numbers.map { .changed(server.entry(MachineUnderTest.id($0).description)) })
    }

    /// The cursor of the records, as it is stored.
    func cursor() throws -> UInt64? {
        let stored = try read { try $0.value("cursor.records.movies") } ?? []
        return stored.split(separator: UInt8(ascii: " ")).first.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }
}
