internal import Accounts
internal import JSONText
internal import OperatingSystem
internal import SyncModel

/// All accounts of a hub as one JSON text, in the form that Firebase's own tool exports and imports.
package enum AccountTransfer {
    /// What became of an import.
    package struct Report: Sendable {
        package var count = 0
        /// Accounts whose hash nobody here can try.
        package var withoutPassword = 0
        package var refused: [(index: Int, reason: String)] = []
    }

    private static let page = 1000

    /// Writes the accounts of the hub whose data are in `folder`; it may run. Returns how many there are.
    ///
    /// Throws a ``ServerError``, and what `write` throws.
    package static func export(from folder: String, _ write: ([UInt8]) throws -> Void) throws -> Int {
        guard (try? FileIdentity.of(path: folder + "/accounts.sqlite")) != nil else {
            throw ServerError(
                .cannotCreate, "\(folder) holds no accounts: name the folder of the hub's data with --data")
        }
        let file = try AccountFile(folder: folder)
        return try explaining(file.path) {
            try file.transaction { book in
                try write(Array(#"{"hash":"#.utf8) + JSONWriter.text(PasswordHash.Method.standard.json))
                try write(Array(#","users":["#.utf8))
                var count = 0
                var last: String?
                while case let accounts = try book.accounts(after: last, limit: page), !accounts.isEmpty {
                    for account in accounts {
                        let text = JSONWriter.text(exported(account))
                        try write((count == 0 ? [0x0A] : [0x2C, 0x0A]) + text)
                        count += 1
                    }
                    last = accounts.last?.id
                }
                try write(Array("\n]}\n".utf8))
                return count
            }
        }
    }

    /// What a password was hashed with is said only where all others were hashed otherwise.
    private static func exported(_ account: Account) -> [String: JSONValue] {
        var members = account.stored
        if account.password?.method == .standard { members["hash"] = nil }
        members["lastSignedInAt"] = members["lastLoginAt"]
        return members
    }

    /// Takes over the accounts of `text`, each by itself, into the hub whose data are in `folder`; it may run.
    ///
    /// Throws a ``ServerError`` where the text is not what it should be; nothing has happened then.
    ///
    /// - Parameters:
    ///   - hashing: a JSON object that says how passwords were hashed; without it the text's own `hash` does.
    ///   - replacing: whether accounts that are there already are replaced.
    package static func take(
        _ text: [UInt8], hashing: [UInt8]?, replacing: Bool, into folder: String
    ) throws -> Report {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let text = text.starts(with: byteOrderMark) ? Array(text.dropFirst(3)) : text
        guard let members = try? JSONReader.members(text), case .array(let users)? = members["users"] else {
            throw ServerError(.corrupt, "this is no file of accounts: it has to be a JSON object with a list \"users\"")
        }
        var common = members["hash"]?.members ?? members
        if let hashing {
            guard let given = try? JSONReader.members(hashing) else {
                throw ServerError(.corrupt, "the file of --hash-config is no JSON object")
            }
            common = given
        }
        common["users"] = nil
        let file = try AccountFile(folder: folder)
        return try explaining(file.path) {
            try file.transaction { book in
                var report = Report()
                for start in stride(from: 0, to: users.count, by: page) {
                    let some = users[start..<min(start + page, users.count)]
                    try take(Array(some), at: start, common, replacing, book, &report)
                }
                return report
            }
        }
    }

    private static func take(
        _ users: [JSONValue], at start: Int, _ common: [String: JSONValue], _ replacing: Bool, _ book: any AccountBook,
        _ report: inout Report
    ) throws {
        var members = common
        members["users"] = .array(users)
        members["allowOverwrite"] = .bool(replacing)
        var request = AccountRequest(.batchCreate, AccountBody(members), project: "", now: wallMilliseconds())
        request.isAdministrator = true
        let answer = try AccountRules.answer(request, in: book, random: SystemRandomNumberGenerator())
        var refused: Set<Int> = []
        if case .array(let errors)? = answer.body["error"] {
            for error in errors {
                let index = Int(clamping: error.members?["index"]?.whole ?? 0)
                refused.insert(index)
                report.refused.append((start + index, error.members?["message"]?.text ?? ""))
            }
        }
        report.count += users.count - refused.count
        for (index, user) in users.enumerated() where !refused.contains(index) {
            guard let user = user.members, user["passwordHash"]?.text?.isEmpty == false else { continue }
            if try book.account(id: user["localId"]?.text ?? "")?.password == nil { report.withoutPassword += 1 }
        }
    }

    private static func explaining<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try RowFile.explaining(path, body)
        } catch let refusal as AccountRefusal {
            throw ServerError(.corrupt, "the accounts can't be imported: \(refusal.message)".oneLine)
        }
    }
}
