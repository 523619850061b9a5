import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct RevocationTests {
    static let now: Int64 = 1_800_000_000_000
    static let owner = ["Authorization": "Bearer owner"]

    private func token(end: Int64) throws -> String {
        try TestToken.unsigned(["sub": "u", "exp": .integer(end)]).text()
    }

    @Test(arguments: [nil, #"{"rules":{".read":"auth != null",".write":true}}"#])
    func `a stream ends with its token`(_ rules: String?) async throws {
        let time = HandTime(now: Self.now)
        let token = try token(end: 1_800_000_010)
        try await withServer(options: { $0.time = time.wallTime }) { client in
            if let rules { try await Step("PUT /.settings/rules.json", rules).perform(client) }
            try await client.listen("/m.json?auth=\(token)") { frames async throws in
                #expect(try await frames.next() == #"put {"path":"/","data":null}"#)
                var waits = time.waits.makeAsyncIterator()
                #expect(await waits.next() == Self.now + 10_000)
                time.move(to: Self.now + 9_999)
                try await Step("PUT /m.json", "1", Self.owner).perform(client)
                #expect(try await frames.next() == #"put {"path":"/","data":1}"#)
                time.move(to: Self.now + 10_000)
                #expect(try await frames.next() == "auth_revoked credential is no longer valid")
                #expect(try await frames.next() == nil)
            }
            guard rules != nil else { return }
            let expired = #"{"error":"Auth token is expired"}"#
            try await Step("GET /m.json?auth=\(token)", nil, [:], 401, expired).perform(client)
            let stream = ["Accept": "text/event-stream"]
            try await Step("GET /m.json?auth=\(token)", nil, stream, 401, expired).perform(client)
        }
    }

    @Test func `nobody waits for credentials without an end`() async throws {
        let time = HandTime(now: Self.now)
        try await withServer(options: { $0.time = time.wallTime }) { client in
            for path in ["/m.json", "/m.json?auth=owner", "/m.json?auth=garbage"] {
                try await client.listen(path) { frames async throws in
                    #expect(try await frames.next() == #"put {"path":"/","data":null}"#)
                }
            }
            let ending = try token(end: 1_800_000_010)
            try await client.listen("/m.json?auth=\(ending)") { frames async throws in
                _ = try await frames.next()
                var waits = time.waits.makeAsyncIterator()
                #expect(await waits.next() == Self.now + 10_000)
            }
        }
    }

    @Test func `new rules end the streams that they don't allow`() async throws {
        try await withServer { client in
            let user = try token(end: 4_000_000_000)
            try await client.listen("/m.json") { nobody async throws in
                _ = try await nobody.next()
                try await client.listen("/m.json?auth=\(user)") { frames async throws in
                    _ = try await frames.next()
                    try await client.listen("/m.json?auth=owner") { admin async throws in
                        _ = try await admin.next()
                        let rules = #"{"rules":{".read":"auth != null"}}"#
                        try await Step("PUT /.settings/rules.json", rules).perform(client)
                        #expect(try await nobody.next() == "cancel null")
                        #expect(try await nobody.next() == nil)
                        try await Step("PUT /m.json", "1", Self.owner).perform(client)
                        #expect(try await frames.next() == #"put {"path":"/","data":1}"#)
                        try await Step("PUT /.settings/rules.json", #"{"rules":{}}"#, Self.owner).perform(client)
                        #expect(try await frames.next() == "cancel null")
                        try await Step("PUT /m.json", "2", Self.owner).perform(client)
                        #expect(try await admin.next() == #"put {"path":"/","data":1}"#)
                        #expect(try await admin.next() == #"put {"path":"/","data":2}"#)
                    }
                }
            }
        }
    }

    @Test func `a write that takes away a right to read is not shown to whom it concerns`() async throws {
        try await withServer { client in
            let rules = #"{"rules":{"m":{".read":"root.child('open').val() == true"},"n":{".read":true}}}"#
            try await Step("PUT /.settings/rules.json", rules).perform(client)
            try await Step("PUT /open.json", "true", Self.owner).perform(client)
            try await client.listen("/m.json") { guarded async throws in
                _ = try await guarded.next()
                try await client.listen("/n.json") { free async throws in
                    _ = try await free.next()
                    let change = #"{"open":false,"m":"secret","n":1}"#
                    try await Step("PATCH /.json", change, Self.owner).perform(client)
                    #expect(try await guarded.next() == "cancel null")
                    #expect(try await guarded.next() == nil)
                    #expect(try await free.next() == #"put {"path":"/","data":1}"#)
                }
            }
        }
    }
}
