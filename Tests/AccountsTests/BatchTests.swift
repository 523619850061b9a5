import Accounts
import SyncModel
import Testing

/// What administrators do with many accounts.
struct BatchTests {
    @Test func `pages hold all accounts once, in the order of their ids`() throws {
        let office = Office()
        for number in 0..<45 {
            _ = try office.answer(.signUp, ["localId": .string("u\(100 + number)")], admin: true)
        }
        var (ids, token, pages): ([String], JSONValue, Int) = ([], .null, 0)
        repeat {
            let page = try office.answer(.batchGet, ["maxResults": "20", "nextPageToken": token], admin: true)
            guard case .array(let users)? = page["users"] else { throw AccountRefusal.failed }
            ids += users.compactMap { $0.members?["localId"]?.text }
            token = page["nextPageToken"] ?? .null
            pages += 1
        } while token != .null
        #expect(ids == (100..<145).map { "u\($0)" } && pages == 3)
    }

    @Test func `rows that are wrong are told, and all others taken over`() throws {
        let office = Office()
        try office.user()
        let answer = try office.answer(
            .batchCreate,
            [
                "users": [
                    ["localId": "one", "email": "One@b.c", "displayName": "One", "createdAt": "1500000000000"],
                    ["email": "two@b.c"], ["localId": "three", "email": "three"],
                    ["localId": "four", "email": "A@b.c"],
                    ["localId": "five", "customAttributes": #"{"iss":1}"#],
                    ["localId": "six", "passwordHash": "AAAA", "salt": "AA"],
                ]
            ], admin: true)
        #expect(
            answer["error"] == [
                ["index": 1, "message": "localId is missing"], ["index": 2, "message": "email is invalid"],
                ["index": 3, "message": "email exists in other account in database"],
                ["index": 4, "message": "Custom claims provided include a reserved claim."],
            ])
        let one = try #require(office.book.accounts["one"])
        #expect(one.email == "one@b.c" && one.createdAt == 1_500_000_000_000)
        // Nobody said how it was hashed: it has to be reset.
        #expect(office.book.accounts["six"]?.password == nil)
        let again: [String: JSONValue] = ["users": [["localId": "one", "displayName": "Uno"]]]
        #expect(
            try office.answer(.batchCreate, again, admin: true)["error"] == [
                ["index": 0, "message": "localId belongs to an existing account - can not overwrite."]
            ])
        _ = try office.answer(.batchCreate, again.merging(["allowOverwrite": true]) { $1 }, admin: true)
        #expect(office.book.accounts["one"]?.displayName == "Uno")
    }

    @Test func `many are deleted at once, where they are disabled or it is meant`() throws {
        let office = Office()
        _ = try office.answer(.signUp, ["localId": "on"], admin: true)
        _ = try office.answer(.signUp, ["localId": "off", "disabled": true], admin: true)
        let ids: [String: JSONValue] = ["localIds": ["off", "gone", "on"]]
        #expect(
            try office.answer(.batchDelete, ids, admin: true)["errors"] == [
                [
                    "index": 2, "localId": "on",
                    "message": "NOT_DISABLED : Disable the account before batch deletion.",
                ]
            ])
        #expect(office.book.accounts.keys.sorted() == ["on"])
        #expect(try office.answer(.batchDelete, ids.merging(["force": true]) { $1 }, admin: true).isEmpty)
        #expect(office.book.accounts.isEmpty)
    }

    @Test func `an account is the same after it was stored`() throws {
        var account = Account(id: "u", now: 1_800_000_000_123)
        #expect(Account(stored: account.stored) == account)
        account.email = "a@b.c"
        account.isEmailVerified = true
        account.displayName = "A"
        account.photoURL = "https://x/y"
        account.phoneNumber = "+123"
        account.password = PasswordHash(method: .standard, salt: [1, 255], key: [62, 63, 250])
        account.passwordUpdatedAt = 5
        account.isDisabled = true
        account.customAttributes = #"{"a":1}"#
        account.isCustom = true
        account.hasEmailLink = true
        account.otherProviders = [["providerId": "google.com", "rawId": "9"]]
        account.validSince = 7
        account.lastIssuedAt = 8
        account.lastLoginAt = 9
        account.lastRefreshAt = 10
        #expect(Account(stored: account.stored) == account)
    }
}
