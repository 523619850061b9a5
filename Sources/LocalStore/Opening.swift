internal import GRDB
internal import OperatingSystem
internal import SyncModel

/// The machine and the file a state lives on: where they differ from what it remembers, it was cloned or restored.
struct StateIdentity: Hashable, Sendable {
    var machine: String
    var file: String

    init(path: String) {
        machine = MachineID.current() ?? ""
        file = (try? FileIdentity.of(path: path)).map { "\($0.device):\($0.inode):\($0.birth ?? 0)" } ?? ""
    }

    var text: String { machine + " " + file }
}

/// What a daemon does once, when it opens the state.
struct Opening {
    var node: NodeID
    var run: Int64
    var timeOfBacklogUnknown: Bool

    static func run(_ db: Database, _ identity: StateIdentity) throws -> Opening {
        let meta = MetaTable(db: db)
        let run = (try meta.integer("run") ?? 0) + 1
        try meta.set("run", integer: run)
        let remembered = try meta.text("identity")
        if let text = try meta.text("node"), let node = NodeID(text), remembered == identity.text {
            return Opening(node: node, run: run, timeOfBacklogUnknown: try meta.integer("unknownTime") == 1)
        }
        let node = NodeID.random()
        try meta.set("node", text: node.description)
        try meta.set("identity", text: identity.text)
        try meta.set("unknownTime", integer: 1)
        return Opening(node: node, run: run, timeOfBacklogUnknown: true)
    }
}

/// Single values by name.
struct MetaTable {
    let db: Database

    func value(_ name: String) throws -> [UInt8]? {
        let statement = try db.cachedStatement(sql: "SELECT value FROM meta WHERE name = ?")
        return try Row.fetchOne(statement, arguments: [name])?.bytes(0)
    }

    func set(_ name: String, _ value: [UInt8]) throws {
        try db.cachedStatement(sql: "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value")
            .execute(arguments: [name, value.blob])
    }

    func remove(_ name: String) throws {
        try db.cachedStatement(sql: "DELETE FROM meta WHERE name = ?").execute(arguments: [name])
    }

    func text(_ name: String) throws -> String? { try value(name).map { String(decoding: $0, as: UTF8.self) } }
    func set(_ name: String, text: String) throws { try set(name, Array(text.utf8)) }
    func integer(_ name: String) throws -> Int64? { try text(name).flatMap { Int64($0) } }
    func set(_ name: String, integer: Int64) throws { try set(name, text: String(integer)) }
}
