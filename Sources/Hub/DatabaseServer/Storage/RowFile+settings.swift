internal import FoundationEssentials
internal import GRDB
internal import Synchronization

/// What is stored of a database besides its rows.
extension RowFile {
    /// The rules by database, as their text, which the file had when it was opened. Throws `corrupt`.
    func rules() throws -> [String: [UInt8]] {
        guard let queue = unloaded.withLock(\.self) else { return [:] }
        return try RowFile.explaining(path) { try queue.read(rules) }
    }

    private func rules(_ db: Database) throws -> [String: [UInt8]] {
        var rules: [String: [UInt8]] = [:]
        guard try db.tableExists("rules") else { return rules }
        for row in try Row.fetchAll(db, sql: "SELECT database, text, checksum FROM rules") {
            let database: String = row[0]
            let text = Array(row[1] as Data)
            guard RowFile.checksum(database, ".settings/rules", text) == row[2] else {
                throw ServerError(
                    .corrupt, "\(path): the rules of database \"\(database)\" are damaged: restore from a backup"
                )
            }
            rules[database] = text
        }
        return rules
    }

    /// Stores the rules of a database; they are on the disk when this returns.
    func store(rules text: [UInt8], of database: String) throws {
        let sum = RowFile.checksum(database, ".settings/rules", text)
        try counted { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO rules(database, text, checksum) VALUES (?, ?, ?)",
                arguments: [database, Data(text), sum]
            )
        }
    }

    /// The limits by database, which the file had when it was opened.
    func writeSizeLimits() throws -> [String: String] {
        guard let queue = unloaded.withLock(\.self) else { return [:] }
        return try RowFile.explaining(path) {
            try queue.read { db in
                guard try db.tableExists("writeSizeLimit") else { return [:] }
                let rows = try Row.fetchAll(db, sql: "SELECT database, word FROM writeSizeLimit")
                return Dictionary(rows.map { ($0[0] as String, $0[1] as String) }) { first, _ in first }
            }
        }
    }

    /// Stores the limit of a database; it is on the disk when this returns.
    func store(writeSizeLimit word: String, of database: String) throws {
        try counted { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO writeSizeLimit(database, word) VALUES (?, ?)", arguments: [database, word])
        }
    }

    /// Which databases have a strict check of triggers or none, where somebody has said so.
    func strictTriggers() throws -> [String: Bool] {
        guard let queue = unloaded.withLock(\.self) else { return [:] }
        return try RowFile.explaining(path) {
            try queue.read { db in
                guard try db.tableExists("strictTriggers") else { return [:] }
                let rows = try Row.fetchAll(db, sql: "SELECT database, isOn FROM strictTriggers")
                return Dictionary(rows.map { ($0[0] as String, $0[1] as Bool) }) { first, _ in first }
            }
        }
    }

    /// Stores it for a database; it is on the disk when this returns.
    func store(strictTriggers isOn: Bool, of database: String) throws {
        try counted { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO strictTriggers(database, isOn) VALUES (?, ?)", arguments: [database, isOn])
        }
    }
}
