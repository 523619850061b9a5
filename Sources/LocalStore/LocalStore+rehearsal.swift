internal import GRDB

extension LocalStore {
    /// Runs `body` as ``write(_:)`` would, tells what came of it, and takes all of it back: nothing is changed.
    package func rehearse<Result: Sendable>(
        _ body: @Sendable @escaping (Transaction) throws -> Result
    ) async throws -> Result {
        let (node, run, limits) = (node, run, limits)
        do {
            return try await database.writeWithoutTransaction { db in
                var results: [Result] = []
                try db.inTransaction(.immediate) {
                    results.append(try body(try Transaction(db, node: node, run: run, limits)))
                    return .rollback
                }
                guard let result = results.first else { throw StoreError(.inputOutput, "nothing was tried") }
                return result
            }
        } catch let error as DatabaseError {
            throw StoreError(error, path: path)
        }
    }
}
