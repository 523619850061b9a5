import DatabaseTree
import FirebaseWire
import JSONText
import SyncModel
import Testing

@testable import DatabaseServer

struct IDTokenTests {
    static let now: Int64 = 1_800_000_000_000
    static let unreadable = "401: Could not parse auth token."
    static let expired = "401: Auth token is expired"

    /// What comes of claims at `now`, for the project `p` or any.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var claims: String
        var project: String?
        var mayLackExpiry = false
        var refusal: String?
    }

    static let cases: [Case] = [
        Case(testDescription: "a user", claims: #""sub":"u","iat":1800000000,"exp":1800000001"#),
        Case(testDescription: "a user id", claims: #""user_id":"u","exp":1800000001"#),
        Case(testDescription: "the last moment", claims: #""sub":"u","exp":1800000000.001"#),
        Case(testDescription: "the end", claims: #""sub":"u","exp":1800000000"#, refusal: expired),
        Case(testDescription: "no end", claims: #""sub":"u""#, refusal: unreadable),
        Case(testDescription: "no end, where that may be", claims: #""sub":"u""#, mayLackExpiry: true),
        Case(
            testDescription: "an end that is over counts always", claims: #""sub":"u","exp":1"#, mayLackExpiry: true,
            refusal: expired),
        Case(testDescription: "an end that is no time", claims: #""sub":"u","exp":"soon""#, refusal: unreadable),
        Case(testDescription: "an end beyond all times", claims: #""sub":"u","exp":1e300"#, refusal: unreadable),
        Case(testDescription: "nobody", claims: #""exp":1800000001"#, refusal: unreadable),
        Case(testDescription: "an empty name", claims: #""sub":"","exp":1800000001"#, refusal: unreadable),
        Case(
            testDescription: "a name that is too long",
            claims: #""sub":"\#(String(repeating: "u", count: 129))","exp":1800000001"#, refusal: unreadable),
        Case(testDescription: "a number", claims: #""sub":7,"exp":1800000001"#, refusal: unreadable),
        Case(
            testDescription: "two users", claims: #""sub":"u","user_id":"v","exp":1800000001"#, refusal: unreadable),
        Case(testDescription: "a clock that is a minute off", claims: #""sub":"u","iat":1800000060,"exp":1800009999"#),
        Case(
            testDescription: "the future", claims: #""sub":"u","iat":1800000061,"exp":1800009999"#, refusal: unreadable
        ),
        Case(
            testDescription: "not yet", claims: #""sub":"u","nbf":1800000061,"exp":1800009999"#, refusal: unreadable),
        Case(
            testDescription: "the project",
            claims: #""sub":"u","exp":1800000001,"aud":"p","iss":"https://securetoken.google.com/p""#, project: "p"),
        Case(
            testDescription: "one of several audiences",
            claims: #""sub":"u","exp":1800000001,"aud":["o","p"],"iss":"https://securetoken.google.com/p""#,
            project: "p"),
        Case(
            testDescription: "another audience",
            claims: #""sub":"u","exp":1800000001,"aud":"o","iss":"https://securetoken.google.com/p""#, project: "p",
            refusal: unreadable),
        Case(
            testDescription: "another issuer",
            claims: #""sub":"u","exp":1800000001,"aud":"p","iss":"https://securetoken.google.com/o""#, project: "p",
            refusal: unreadable),
        Case(testDescription: "no project", claims: #""sub":"u","exp":1800000001"#, project: "p", refusal: unreadable),
    ]

    @Test(arguments: cases) func `claims are checked`(_ given: Case) throws {
        let claims = try JSONReader.value(Array("{\(given.claims)}".utf8))
        let token = try #require(IDToken(try TestToken.unsigned(claims).text()))
        do {
            let identity = try token.identity(
                now: IDTokenTests.now, project: given.project, mayLackExpiry: given.mayLackExpiry)
            #expect(given.refusal == nil)
            guard case .client(let auth) = identity.principal else { throw CancellationError() }
            #expect(auth.members?["uid"] == "u")
        } catch let refusal as Refusal {
            #expect("\(refusal)" == given.refusal)
        }
    }

    @Test func `rules see the user, the provider and every claim`() throws {
        let claims: JSONValue = [
            "sub": "u", "exp": 1_800_000_001, "firebase": ["sign_in_provider": "password"], "admin": true,
        ]
        let token = try #require(IDToken(try TestToken.unsigned(claims).text()))
        let identity = try token.identity(now: IDTokenTests.now, project: nil, mayLackExpiry: false)
        guard case .client(let auth) = identity.principal else {
            Issue.record("a token makes no administrator")
            return
        }
        #expect(auth == ["uid": "u", "provider": "password", "token": claims])
        #expect(identity.expires == 1_800_000_001_000)
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c", "..", "e30.e30.", "W10.e30.", "eyJhbGciOiJub25lIn0.W10.", "é.é.é"])
    func `what is no token is none`(_ text: String) { #expect(IDToken(text) == nil) }
}
