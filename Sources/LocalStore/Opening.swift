internal import GRDB
internal import OperatingSystem
internal import SyncModel

/// What a daemon does once, when it opens the state.
struct Opening {
    var node: NodeID
    var run: Int64
    var timeOfBacklogUnknown: Bool
    /// The clock's last reading when the node's id was made; nil where that was not noted.
    var began: Stamp?

    /// - Parameter lastTold: the number of the last change that others were told of; a state that has none so high is an older
    ///   copy, put back in the place of the one that had.
    static func run(
        _ db: Database, _ identity: String, newNode: NodeID, lastTold: Int64? = nil
    ) throws -> Opening {
        let meta = MetaTable(db: db)
        let run = (try meta.integer("run") ?? 0) + 1
        try meta.set("run", integer: run)
        let remembered = try meta.text("identity")
        let newest = try Int64.fetchOne(db, sql: "SELECT max(sequence) FROM change") ?? 0
        // Until there are changes again, that is so at each start.
        let isOlder = try lastTold.map { try $0 > newest && meta.integer("olderThan") != $0 } ?? false
        if let text = try meta.text("node"), let node = NodeID(text), remembered == identity, !isOlder {
            return Opening(
                node: node, run: run, timeOfBacklogUnknown: try meta.integer("unknownTime") == 1,
                began: try meta.value("nodeBegan").flatMap { Stamp(bytes: $0) })
        }
        let began = try meta.value("clock").flatMap { Stamp(bytes: $0) } ?? .zero
        try meta.set("nodeBegan", began.bytes)
        try meta.set("node", text: newNode.description)
        try meta.set("identity", text: identity)
        try meta.set("unknownTime", integer: 1)
        if let lastTold { try meta.set("olderThan", integer: lastTold) }
        return Opening(node: newNode, run: run, timeOfBacklogUnknown: true, began: began)
    }
}
