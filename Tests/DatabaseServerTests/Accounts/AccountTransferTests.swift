import Accounts
import Foundation
import JSONText
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

/// Accounts that leave a hub and come into another.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct AccountTransferTests {
    private func exported(_ folder: TemporaryFolder) throws -> (count: Int, text: [UInt8]) {
        var text: [UInt8] = []
        let count = try AccountTransfer.export(from: folder.path) { text += $0 }
        return (count, text)
    }

    @Test func `who was exported can sign in elsewhere`() async throws {
        let (from, to) = (try TemporaryFolder(), try TemporaryFolder())
        let text = try await withAccounts(data: from.path) { client async throws in
            for number in 0..<3 { _ = try await client.signUp("u\(number)@b.c") }
            // While the hub runs.
            let (count, text) = try exported(from)
            #expect(count == 3)
            return text
        }
        try await withAccounts(data: to.path) { client async throws in
            let report = try AccountTransfer.take(text, hashing: nil, replacing: false, into: to.path)
            #expect(report.count == 3 && report.withoutPassword == 0 && report.refused.isEmpty)
            #expect(try await client.signIn("u2@b.c") == nil)
            let again = try AccountTransfer.take(text, hashing: nil, replacing: false, into: to.path)
            #expect(again.count == 0 && again.refused.map(\.index) == [0, 1, 2])
            let forced = try AccountTransfer.take(text, hashing: nil, replacing: true, into: to.path)
            #expect(forced.count == 3)
        }
    }

    @Test func `a file of Firebase's own tool is read, and passwords that nobody can try are counted`() throws {
        let folder = try TemporaryFolder()
        let text = Array(
            """
            {"users":[{"localId":"a","email":"A@b.c","emailVerified":true,"passwordHash":"lSrfV15cpx95","salt":"42xE",
            "lastSignedInAt":"1600000000001","createdAt":"1500000000000","disabled":false,"providerUserInfo":[]}]}
            """.utf8)
        let bare = try AccountTransfer.take(text, hashing: nil, replacing: false, into: folder.path)
        #expect(bare.count == 1 && bare.withoutPassword == 1)
        let hashing = Array(#"{"hashAlgorithm":"SCRYPT","signerKey":"jxsp","rounds":8,"memoryCost":14}"#.utf8)
        let known = try AccountTransfer.take(text, hashing: hashing, replacing: true, into: folder.path)
        #expect(known.count == 1 && known.withoutPassword == 0)
        let (_, out) = try exported(folder)
        guard case .array(let users)? = try JSONReader.members(out)["users"] else { throw AccountRefusal.failed }
        let user = try #require(users.first?.members)
        #expect(user["email"] == "a@b.c" && user["createdAt"] == "1500000000000" && user["emailVerified"] == true)
        #expect(user["lastSignedInAt"] == "1600000000001" && user["passwordHash"] == "lSrfV15cpx95")
    }

    @Test func `what is no file of accounts changes nothing`() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ServerError.self) { try exported(folder) }
        for text in ["", "[]", "{}", #"{"users":1}"#] {
            #expect(throws: ServerError.self, "\(text)") {
                try AccountTransfer.take(Array(text.utf8), hashing: nil, replacing: false, into: folder.path)
            }
        }
    }
}
