import Accounts
import JSONText
import SyncModel
import TestSupport

@testable import DatabaseServer

extension FuzzTarget {
    /// A call about accounts: its path, a line break, its body.
    static let accountCall = FuzzTarget(
        "accountCall",
        seeds: [
            "/v1/accounts:signUp\n{\"email\":\"a@b.c\",\"password\":\"secret\",\"displayName\":\"Ä 🎬\"}",
            "/identitytoolkit/v3/relyingparty/verifyPassword\n{\"email\":\"a@b.c\",\"password\":\"secret\"}",
            "/v1/projects/p/accounts:update\n{\"localId\":\"u\",\"customAttributes\":\"{\\\"a\\\":1}\",\"validSince\":\"9\"}",
            "/v1/accounts:update\n{\"oobCode\":\"x\",\"deleteAttribute\":[\"EMAIL\"],\"deleteProvider\":[\"password\"]}",
            "/v1/projects/p/accounts:batchCreate\n{\"users\":[{\"localId\":\"u\",\"passwordHash\":\"AAAA\",\"salt\":\"AA\","
                + "\"providerUserInfo\":[{\"providerId\":\"x\"}],\"createdAt\":\"5\"}],\"hashAlgorithm\":\"SCRYPT\","
                + "\"signerKey\":\"AAAA\",\"rounds\":8,\"memoryCost\":14,\"allowOverwrite\":true}",
            "/v1/accounts:sendOobCode\n{\"requestType\":\"EMAIL_SIGNIN\",\"email\":\"a@b.c\",\"continueUrl\":\"a://b\"}",
            "/v1/token\n{\"grant_type\":\"refresh_token\",\"refresh_token\":\"x\"}",
        ],
        words: [
            "localId", "email", "idToken", "phoneNumber", "+49", "null", "STANDARD_SCRYPT", "cpuMemCost", "-1",
            "9223372036854775807", ":lookup", ":query", ":delete", ":batchDelete", ":createAuthUri", "localIds", "true",
            "%3A", "/",
        ], turns: 150
    ) { body in
        let folder = try TemporaryFolder()
        let file = try AccountFile(folder: folder.path)
        try await body { try answer(to: $0, in: file) }
    }

    private static func answer(to input: [UInt8], in file: AccountFile) throws -> Bool {
        let parts = input.split(separator: 0x0A, maxSplits: 1)
        guard parts.count == 2,
            case .call(let call, _)? = AccountRoute(
                method: "POST", path: String(decoding: parts[0], as: UTF8.self)[...]),
            let members = try? JSONReader.members(parts[1])
        else { return false }
        var isTaken = false
        for isAdministrator in [false, true] {
            var request = AccountRequest(call, AccountBody(members), project: "p", now: 1_800_000_000_000)
            request.isAdministrator = isAdministrator
            do {
                _ = try file.transaction {
                    let answer = try AccountRules.answer(request, in: $0, random: SystemRandomNumberGenerator())
                    // What was stored can be read again.
                    for account in try $0.accounts(after: nil, limit: 1000) {
                        try promise(Account(stored: account.stored) == account, "\(account) is another one once stored")
                    }
                    return answer
                }
                isTaken = true
            } catch let refusal as AccountRefusal {
                try promise(JSONWriter.text(refusal.body).count < 4_000_000, "a refusal as long as the call")
            } catch is NeededWork {
                isTaken = true
            }
        }
        return isTaken
    }
}
