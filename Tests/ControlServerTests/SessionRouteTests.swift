import ControlAPI
import ControlTestSupport
import OperatingSystem
import TestSupport
import Testing

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct SessionRouteTests {
    private func withPeople(allowed: Set<UInt32>? = nil, _ body: (String) async throws -> Void) async throws {
        try await withServedSocket(
            FakeControlService.full(), people: FakePeopleService(), allowedUIDs: allowed, body)
    }

    private static let order = #"{"email":"anna@example.org","password":"geheim"}"#

    @Test func `who signs in is known by the user of the connection, until they sign out`() async throws {
        try await withPeople { socket in
            let nobody = try await ask("GET", "/v1/session", at: socket)
            #expect(
                nobody.body == """
                    {"email":null,"localUsers":[],"name":null,"reason":null,"since":null,"state":"local","uid":"local"}

                    """)
            #expect(try await ask("DELETE", "/v1/session", at: socket).status == 404)
            #expect(try await ask("POST", "/v1/session", body: Self.order, at: socket).status == 200)
            let anna = try await ask("GET", "/v1/session", at: socket)
            #expect(
                anna.body == """
                    {"email":"anna@example.org","localUsers":[\(ThisProcess.user)],"name":"anna","reason":null,\
                    "since":"2025-11-20T20:15:04.120Z","state":"signedIn","uid":"A"}

                    """)
            #expect(try await ask("DELETE", "/v1/session", at: socket).status == 200)
            #expect(try await ask("GET", "/v1/session", at: socket).body == nobody.body)
        }
    }

    @Test func `a wrong password is no secret's leak`() async throws {
        try await withPeople { socket in
            let refused = try await ask(
                "POST", "/v1/session", body: #"{"email":"a@b","password":"falsch1"}"#, at: socket)
            #expect(refused.status == 401 && refused.body.contains("wrongCredentials"))
            let garbled = try await ask("POST", "/v1/session", body: #"{"email":"a@b","password":"#, at: socket)
            #expect(garbled.status == 400)
            #expect(![refused, garbled].contains { $0.body.contains("falsch1") })
        }
    }

    @Test func `who may not change anything sees and ends no session but the own`() async throws {
        try await withPeople(allowed: [4_000_000_001]) { socket in
            #expect(try await ask("POST", "/v1/session", body: Self.order, at: socket).status == 200)
            let all = try await ask("GET", "/v1/sessions", at: socket)
            #expect(all.body.contains(#""name":"anna""#) && !all.body.contains("bob"))
            let bob = try await ask("GET", "/v1/session?name=bob", at: socket)
            #expect(bob.body.contains(#""uid":"B""#) && !bob.body.contains("bob@example.org"))
            #expect(try await ask("DELETE", "/v1/session?name=bob", at: socket).status == 403)
            #expect(try await ask("DELETE", "/v1/session?name=zoe", at: socket).status == 404)
            #expect(try await ask("DELETE", "/v1/session?name=anna", at: socket).status == 200)
        }
    }
}
