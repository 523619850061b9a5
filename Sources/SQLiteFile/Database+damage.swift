package import GRDB

extension Database {
    /// What SQLite finds wrong with the file, in its own words; nil where nothing is. Reads all of it.
    ///
    /// - Throws: why it can't be read, which says nothing of what it holds.
    package func damage() throws -> String? {
        try damage(in: try String.fetchOne(self, sql: "PRAGMA quick_check(1)") ?? "no answer")
    }

    /// The same by what the check has answered: it tells of a page that can't be read as of a damaged one.
    func damage(in answer: String) throws -> String? {
        if let code = answer.firstMatch(of: /unable to get the page. error code=(\d+)/).flatMap({ Int32($0.1) }) {
            let result = ResultCode(rawValue: code).primaryResultCode
            if result != .SQLITE_CORRUPT, result != .SQLITE_NOTADB { throw DatabaseError(resultCode: result) }
        }
        return answer == "ok" ? nil : answer
    }
}
