internal import GRDB
internal import JSONText
internal import SyncModel

extension Transaction {
    /// Whether an operation with this `opID` was taken from the journal, and is still remembered.
    package func isRegistered(opID: String) throws -> Bool {
        let digest = ContentHash(of: Array(opID.utf8)).bytes.prefix(16)
        let find = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM operation WHERE opID = ?)")
        return try Bool.fetchOne(find, arguments: [Array(digest).blob]) ?? false
    }
}
