internal import Accounts
internal import FoundationEssentials
internal import GRDB
internal import JSONText
internal import SyncModel

/// The accounts as an open transaction of the file sees them.
final class AccountRows: AccountBook {
    /// So many sign-ins of one account stay open; a program that signs in again and again would fill the disk.
    private static let mostSessions = 200

    private let db: Database

    init(_ db: Database) { self.db = db }

    // MARK: Accounts

    func account(id: String) throws -> Account? { try account("id", id) }
    func account(email: String) throws -> Account? { try account("email", email) }
    func account(phoneNumber: String) throws -> Account? { try account("phone", phoneNumber) }

    private func account(_ column: String, _ value: String) throws -> Account? {
        let statement = try db.cachedStatement(sql: "SELECT text FROM account WHERE \(column) = ?")
        return try Data.fetchOne(statement, arguments: [value]).map(read)
    }

    func accounts(after: String?, limit: Int) throws -> [Account] {
        let statement = try db.cachedStatement(sql: "SELECT text FROM account WHERE id > ? ORDER BY id LIMIT ?")
        return try Data.fetchAll(statement, arguments: [after ?? "", limit]).map(read)
    }

    private func read(_ text: Data) throws -> Account {
        guard let members = try? JSONReader.members(text), let account = Account(stored: members) else {
            throw ServerError(.corrupt, "accounts.sqlite holds an account that can't be read: restore it from a backup")
        }
        return account
    }

    func count() throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM account") ?? 0 }

    func put(_ account: Account) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO account(id, email, phone, text) VALUES (?, ?, ?, ?)
                ON CONFLICT(id) DO UPDATE SET email = excluded.email, phone = excluded.phone, text = excluded.text
                """)
        let text = Data(JSONWriter.text(account.stored))
        try statement.execute(arguments: [account.id, account.email, account.phoneNumber, text])
    }

    func removeAccount(id: String) throws {
        try db.cachedStatement(sql: "DELETE FROM account WHERE id = ?").execute(arguments: [id])
    }

    func removeAll() throws { try db.execute(sql: "DELETE FROM code; DELETE FROM session; DELETE FROM account") }

    // MARK: Sessions

    func session(hash: [UInt8]) throws -> Session? {
        let statement = try db.cachedStatement(
            sql: "SELECT account, authTime, provider, claims FROM session WHERE hash = ?")
        guard let row = try Row.fetchOne(statement, arguments: [Data(hash)]) else { return nil }
        let claims = (try? JSONReader.members(row[3] as Data)) ?? [:]
        return Session(account: row[0], authTime: row[1], provider: row[2], claims: claims)
    }

    func put(_ session: Session, hash: [UInt8]) throws {
        try db.cachedStatement(
            sql: "INSERT INTO session(hash, account, authTime, provider, claims) VALUES (?, ?, ?, ?, ?)"
        ).execute(
            arguments: [
                Data(hash), session.account, session.authTime, session.provider,
                Data(JSONWriter.text(session.claims)),
            ])
        try db.cachedStatement(
            sql: """
                DELETE FROM session WHERE account = ?1 AND number <= (
                    SELECT number FROM session WHERE account = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2)
                """
        ).execute(arguments: [session.account, AccountRows.mostSessions])
    }

    // MARK: Codes

    func code(hash: [UInt8]) throws -> OneTimeCode? {
        let statement = try db.cachedStatement(
            sql: "SELECT request, email, newEmail, account, ends FROM code WHERE hash = ?")
        guard let row = try Row.fetchOne(statement, arguments: [Data(hash)]),
            let request = CodeRequest(rawValue: row[0])
        else { return nil }
        return OneTimeCode(request: request, email: row[1], newEmail: row[2], account: row[3], ends: row[4])
    }

    func put(_ code: OneTimeCode, hash: [UInt8]) throws {
        try db.cachedStatement(
            sql: "INSERT INTO code(hash, request, email, newEmail, account, ends) VALUES (?, ?, ?, ?, ?, ?)"
        ).execute(
            arguments: [Data(hash), code.request.rawValue, code.email, code.newEmail, code.account, code.ends])
    }

    func removeCode(hash: [UInt8]) throws {
        try db.cachedStatement(sql: "DELETE FROM code WHERE hash = ?").execute(arguments: [Data(hash)])
    }

    func removeCodes(endedBefore end: Int64) throws {
        try db.cachedStatement(sql: "DELETE FROM code WHERE ends < ?").execute(arguments: [end])
    }

    func removeCodes(ofAccount id: String) throws {
        try db.cachedStatement(sql: "DELETE FROM code WHERE account = ?").execute(arguments: [id])
    }

    // MARK: Policy

    func policy() throws -> AccountPolicy? {
        guard let text = try Data.fetchOne(db, sql: "SELECT text FROM policy") else { return nil }
        return (try? JSONReader.members(text)).map { AccountPolicy(stored: $0) }
    }

    func put(_ policy: AccountPolicy) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO policy(one, text) VALUES (1, ?)",
            arguments: [Data(JSONWriter.text(policy.stored))])
    }
}
