package import GRDB

extension Database {
    /// What SQLite finds wrong with the file, in its own words; nil where nothing is. Reads all of it.
    package func damage() throws -> String? {
        let answer = try String.fetchOne(self, sql: "PRAGMA quick_check(1)") ?? "no answer"
        return answer == "ok" ? nil : answer
    }
}
