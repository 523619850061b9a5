import Firebase
import PluginKit
import SyncModel
import Synchronization
import TestSupport
import Testing

/// What people's calls look like on the wire, and what their answers mean.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct AccountsTests {
    private static func signIn(_ remote: FirebaseRemote) async throws -> RemoteGrant {
        try await #require(remote.accounts).signIn(email: "anna@example.org", password: "geheim")
    }

    @Test func `signing in is one call, beside the database`() async throws {
        let answer = #"{"localId":"A","email":"anna@example.org","idToken":"i","refreshToken":"r","expiresIn":"3600"}"#
        try await withScript(adjusting: { _ in }) { _, line in
            try await line.reply(200, [:], answer)
        } _: { remote, server in
            let grant = try await Self.signIn(remote)
            #expect(grant == RemoteGrant(uid: "A", email: "anna@example.org", refreshToken: "r"))
            let request = try #require(server.requests.first)
            #expect(request.path == "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword")
            #expect(request.query == ["key=moviesync"] && request.method == "POST")
            #expect(
                request.body == #"{"email":"anna@example.org","password":"geheim","returnSecureToken":true}"#)
        }
    }

    @Test(arguments: [
        ("EMAIL_NOT_FOUND", AccountError.Reason.wrongCredentials), ("INVALID_PASSWORD", .wrongCredentials),
        ("INVALID_LOGIN_CREDENTIALS", .wrongCredentials), ("EMAIL_EXISTS", .emailTaken),
        ("WEAK_PASSWORD : Password should be at least 6 characters", .weakPassword), ("USER_DISABLED", .disabled),
        ("TOO_MANY_ATTEMPTS_TRY_LATER : Access was disabled", .tooManyAttempts), ("INVALID_EMAIL", .invalidEmail),
        ("SOMETHING_NEW", .refused), ("NO_SUCH geheim", .refused),
    ])
    func `the first word of an error counts`(_ message: String, _ reason: AccountError.Reason) async throws {
        try await withScript(adjusting: { _ in }) { _, line in
            try await line.reply(400, [:], #"{"error":{"code":400,"message":"\#(message)"}}"#)
        } _: { remote, _ in
            let error = await #expect(throws: AccountError.self) { try await Self.signIn(remote) }
            #expect(error?.reason == reason)
            #expect(error?.message.contains("geheim") == false)
        }
    }

    @Test(arguments: [(503, "busy"), (500, "<html>"), (200, "[]"), (200, "{}")])
    func `an answer that says nothing is no refusal`(_ status: Int, _ text: String) async throws {
        try await withScript(adjusting: { _ in }) { _, line in
            try await line.reply(status, [:], text)
        } _: { remote, _ in
            let error = await #expect(throws: AccountError.self) { try await Self.signIn(remote) }
            #expect(error?.reason == .offline)
        }
    }

    @Test func `Google is asked at its own places, and only with the key of the project`() async throws {
        try await withRemote("https://films-default-rtdb.europe-west1.firebasedatabase.app") { remote in
            let error = await #expect(throws: AccountError.self) { try await Self.signIn(remote) }
            #expect(error?.reason == .refused && error?.message.contains("remote.accounts.apiKey") == true)
        }
    }

    @Test func `no password goes out in the clear`() async throws {
        try await withRemote("http://hub.example.org:9000") { remote in
            let error = await #expect(throws: AccountError.self) { try await Self.signIn(remote) }
            #expect(error?.reason == .refused && error?.message.contains("https") == true)
        }
    }

    private final class Told: Sendable {
        private let noted = Mutex<[String]>([])

        var words: [String] { noted.withLock { $0 } }

        func note(_ words: String) { noted.withLock { $0.append(words) } }
    }

    /// Runs `body` with a remote that acts as a person, whose token service answers with these texts in turn.
    private func acting(
        _ tokens: [(Int, String)], telling told: Told = Told(), database: @escaping ScriptedServer.Script,
        _ body: (any Remote, ScriptedServer) async throws -> Void
    ) async throws {
        let rest = Mutex(tokens)
        try await withScript(adjusting: { $0.credential = .emulator }) { request, line in
            guard request.path == "/securetoken.googleapis.com/v1/token" else {
                return try await database(request, line)
            }
            let (status, text) = rest.withLock { $0.isEmpty ? (500, "") : $0.removeFirst() }
            try await line.reply(status, [:], text)
        } _: { remote, server in
            let accounts = try #require(remote.accounts)
            try await body(accounts.remote(actingWith: "refresh") { told.note("\($0) \($1)") }, server)
        }
    }

    private static func token(_ text: String, life: Int = 3600, next: String = "refresh") -> (Int, String) {
        (200, #"{"user_id":"A","id_token":"\#(text)","refresh_token":"\#(next)","expires_in":"\#(life)"}"#)
    }

    @Test func `what a person writes carries their token, which is asked for once`() async throws {
        try await acting([Self.token("t1")]) { _, line in
            try await line.reply(200, ["ETag": "e"], "null")
        } _: { remote, server in
            for _ in 0..<3 { _ = try await remote.keys(in: movies) }
            #expect(server.requests.map(\.path).filter { $0.contains("token") }.count == 1)
            #expect(server.requests.first?.body == "grant_type=refresh_token&refresh_token=refresh")
            for request in server.requests.dropFirst() {
                #expect(request.query.contains("auth=t1") && request.header("Authorization") == [])
            }
        }
    }

    @Test func `a refresh token that comes in place of the last one is used, and told of`() async throws {
        let told = Told()
        let tokens = [
            Self.token("t1", life: 0, next: "second"), Self.token("t2", life: 0, next: "third"), Self.token("t3"),
        ]
        try await acting(tokens, telling: told) { _, line in
            try await line.reply(200, [:], "null")
        } _: { remote, server in
            for _ in 0..<3 { _ = try await remote.keys(in: movies) }
            let asked = server.requests.filter { $0.path.hasSuffix("/token") }
                .compactMap { $0.body.split(separator: "=").last.map(String.init) }
            #expect(asked == ["refresh", "second", "third"])
        }
        #expect(told.words == ["refresh second", "second third", "third refresh"])
    }

    @Test func `a token of an endless life is used`() async throws {
        try await acting([Self.token("t1", life: .max)]) { _, line in
            try await line.reply(200, [:], "null")
        } _: { remote, server in
            _ = try await remote.keys(in: movies)
            #expect(server.requests.last?.query.contains("auth=t1") == true)
        }
    }

    @Test func `a refused token is renewed at once, however young it is`() async throws {
        try await acting([Self.token("t1"), Self.token("t2")]) { request, line in
            let isOld = request.query.contains("auth=t1")
            try await line.reply(isOld ? 401 : 200, [:], isOld ? #"{"error":"Auth token is expired"}"# : "null")
        } _: { remote, server in
            _ = try await remote.keys(in: movies)
            #expect(server.requests.last?.query.contains("auth=t2") == true)
        }
    }

    /// What the uploads carried, and what became of a picture of a person whose tokens are these.
    private func stored(
        _ tokens: [(Int, String)], accepting good: String
    ) async throws -> (uploads: [String], address: String?, failure: RemoteError.Code?) {
        var done: (uploads: [String], address: String?, failure: RemoteError.Code?) = ([], nil, nil)
        try await acting(tokens) { request, line in
            let isGood = request.header("Authorization") == ["Firebase \(good)"]
            let refusal = #"{"error":{"code":401,"message":"Auth token is expired"}}"#
            try await line.reply(isGood ? 200 : 401, [:], isGood ? #"{"downloadTokens":"one"}"# : refusal)
        } _: { remote, server in
            let pictures = try #require(remote.pictures)
            do {
                done.address = try await pictures.store([0xFF, 0xD8, 0xFF], of: "A")
            } catch let error as RemoteError {
                done.failure = error.code
            }
            done.uploads = server.requests.filter { $0.path.hasPrefix("/v0/") }.flatMap { $0.header("Authorization") }
        }
        return done
    }

    @Test func `a token that is refused with a picture is renewed too, once`() async throws {
        let renewed = try await stored([Self.token("t1"), Self.token("t2")], accepting: "t2")
        #expect(renewed.uploads == ["Firebase t1", "Firebase t2"] && renewed.address?.hasSuffix("token=one") == true)
        let refused = try await stored([Self.token("t1"), Self.token("t2"), Self.token("t3")], accepting: "t3")
        #expect(refused.uploads == ["Firebase t1", "Firebase t2"] && refused.failure == .unauthorized)
        let disabled = (400, #"{"error":{"code":400,"message":"USER_DISABLED"}}"#)
        let ended = try await stored([Self.token("t1"), disabled], accepting: "t2")
        #expect(ended.uploads == ["Firebase t1"] && ended.failure == .sessionEnded)
    }

    @Test(arguments: ["TOKEN_EXPIRED", "USER_NOT_FOUND", "INVALID_REFRESH_TOKEN", "USER_DISABLED"])
    func `a session that has ended is no failure of the remote`(_ word: String) async throws {
        try await acting([(400, #"{"error":{"code":400,"message":"\#(word)","status":"INVALID_ARGUMENT"}}"#)]) {
            _, line in
            try await line.reply(200, [:], "null")
        } _: { remote, server in
            let error = await #expect(throws: RemoteError.self) { try await remote.keys(in: movies) }
            #expect(error?.code == .sessionEnded && error?.nothingWasWritten == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `a refresh token that an answer repeats is not shown`() async throws {
        let text = #"{"error":{"code":400,"message":"NO_SUCH grant_type=refresh_token&refresh_token=refresh"}}"#
        try await acting([(400, text)]) { _, line in
            try await line.reply(200, [:], "null")
        } _: { remote, _ in
            let error = await #expect(throws: RemoteError.self) { try await remote.keys(in: movies) }
            #expect(error?.message.contains("NO_SUCH") == true && error?.message.contains("refresh") == false)
        }
    }

    @Test func `a token service that is down is tried again, and ends nothing`() async throws {
        try await acting([(503, ""), Self.token("t1")]) { _, line in
            try await line.reply(200, [:], "null")
        } _: { remote, _ in
            let error = await #expect(throws: RemoteError.self) { try await remote.keys(in: movies) }
            #expect(error?.code == .personUnreachable)
            _ = try await remote.keys(in: movies)
        }
    }
}
