import Accounts
import SyncModel

/// Accounts in memory, for tests of the rules.
final class MemoryBook: AccountBook {
    private(set) var accounts: [String: Account] = [:]
    private(set) var sessions: [[UInt8]: Session] = [:]
    private(set) var codes: [[UInt8]: OneTimeCode] = [:]
    private var decided: AccountPolicy?

    func account(id: String) -> Account? { accounts[id] }
    func account(email: String) -> Account? { accounts.values.first { $0.email == email } }
    func account(phoneNumber: String) -> Account? { accounts.values.first { $0.phoneNumber == phoneNumber } }
    func accounts(after: String?, limit: Int) -> [Account] {
        Array(accounts.values.filter { $0.id > after ?? "" }.sorted { $0.id < $1.id }.prefix(limit))
    }
    func count() -> Int { accounts.count }
    func put(_ account: Account) { accounts[account.id] = account }
    func removeAccount(id: String) {
        accounts[id] = nil
        sessions = sessions.filter { $0.value.account != id }
        removeCodes(ofAccount: id)
    }
    func removeAll() { (accounts, sessions, codes) = ([:], [:], [:]) }
    func session(hash: [UInt8]) -> Session? { sessions[hash] }
    func put(_ session: Session, hash: [UInt8]) { sessions[hash] = session }
    func code(hash: [UInt8]) -> OneTimeCode? { codes[hash] }
    func put(_ code: OneTimeCode, hash: [UInt8]) { codes[hash] = code }
    func removeCode(hash: [UInt8]) { codes[hash] = nil }
    func removeCodes(endedBefore end: Int64) { codes = codes.filter { $0.value.ends >= end } }
    func removeCodes(ofAccount id: String) { codes = codes.filter { $0.value.account != id } }
    func policy() -> AccountPolicy? { decided }
    func put(_ policy: AccountPolicy) { decided = policy }
}
