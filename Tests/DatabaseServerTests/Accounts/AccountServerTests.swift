import Accounts
import Foundation
import JSONText
import Logging
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

/// The server of accounts, from outside: who may call what, how often, and what becomes of it all after a restart.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct AccountServerTests {
    @Test func `people sign up, in and out, and rules see them`() async throws {
        try await withAccounts { client async throws in
            let user = try await client.signUp("Anna@B.c")
            #expect(user["email"] == "anna@b.c")
            #expect(try await client.mayRead(user["idToken"]) == 200)
            #expect(try await client.mayRead(nil) == 401)
            let renewed = try await client.refresh(user["refreshToken"])
            #expect(renewed.status == 200)
            #expect(try await client.mayRead(renewed.body["access_token"]) == 200)
            let form = "grant_type=refresh_token&refresh_token=\(user["refreshToken"]?.text ?? "")"
            let asForm = try await client.http.send(
                "POST", "/securetoken.googleapis.com/v1/token?key=any", form,
                ["Content-Type": "application/x-www-form-urlencoded"])
            #expect(asForm.status == 200)
            #expect(try await client.signIn("anna@b.c", "wrong") == "INVALID_LOGIN_CREDENTIALS")
            #expect(try await client.signIn("anna@b.c") == nil)
        }
    }

    @Test func `tokens end at the database when sessions end`() async throws {
        try await withAccounts { client async throws in
            let user = try await client.signUp()
            #expect(try await client.mayRead(user["idToken"]) == 200)
            let changed = try await client.call(
                "update", ["idToken": user["idToken"] ?? .null, "password": "another"])
            #expect(try await client.mayRead(user["idToken"]) == 401)
            #expect(try await client.mayRead(changed.body["idToken"]) == 200)
            let id = user["localId"] ?? .null
            _ = try await client.call("update", ["localId": id, "disableUser": true], AccountClient.admin)
            #expect(try await client.mayRead(changed.body["idToken"]) == 401)
            _ = try await client.call("update", ["localId": id, "disableUser": false], AccountClient.admin)
            #expect(try await client.mayRead(changed.body["idToken"]) == 200)
            _ = try await client.call("delete", ["localId": id], AccountClient.admin)
            #expect(try await client.mayRead(changed.body["idToken"]) == 401)
        }
    }

    @Test func `tokens end at the database when a link gives the account its address`() async throws {
        try await withAccounts { client async throws in
            let anonymous = try await client.call("signUp", [:]).body
            #expect(try await client.mayRead(anonymous["idToken"]) == 200)
            let sent = try await client.call(
                "/v1/projects/demo/accounts:sendOobCode",
                ["requestType": "EMAIL_SIGNIN", "email": "a@b.c", "returnOobLink": true], AccountClient.admin)
            let linked = try await client.call(
                "signInWithEmailLink",
                [
                    "email": "a@b.c", "oobCode": sent.body["oobCode"] ?? .null,
                    "idToken": anonymous["idToken"] ?? .null,
                ])
            #expect(linked.body["localId"] == anonymous["localId"])
            #expect(try await client.mayRead(anonymous["idToken"]) == 401)
            #expect(try await client.mayRead(linked.body["idToken"]) == 200)
        }
    }

    @Test func `a restart keeps users, sessions, keys and codes`() async throws {
        let folder = try TemporaryFolder()
        let user = try await withAccounts(data: folder.path) { try await $0.signUp() }
        try await withAccounts(data: folder.path) { client async throws in
            #expect(try await client.mayRead(user["idToken"]) == 200)
            #expect(try await client.refresh(user["refreshToken"]).status == 200)
            #expect(try await client.signIn() == nil)
            #expect(try await client.refusal("signUp", ["email": "a@b.c", "password": "secret"]) == "EMAIL_EXISTS")
        }
        for name in ["accounts.sqlite", "token-keys.json"] {
            let mode = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")[.posixPermissions]
            #expect(mode as? Int == 0o600, "\(name)")
        }
    }

    @Test(arguments: ["accounts.sqlite-wal", "accounts.sqlite", "a changed byte in the log", "a page"])
    func `accounts that are damaged or gone are missed at the start`(what: String) async throws {
        let folder = try TemporaryFolder()
        let left = try await withAccounts(data: folder.path) { client async throws in
            _ = try await client.signUp()
            return try what == "a page" ? folder : LooseQueue.copy(folder.path)
        }
        func change(_ name: String, _ body: (inout Data) -> Void) throws {
            var file = try Data(contentsOf: URL(filePath: left.path + "/" + name))
            body(&file)
            try file.write(to: URL(filePath: left.path + "/" + name))
        }
        switch what {
        case "a changed byte in the log": try change("accounts.sqlite-wal") { $0[$0.count / 2] ^= 0x10 }
        case "a page": try change("accounts.sqlite") { $0.replaceSubrange(4096..<8192, with: Data(count: 4096)) }
        default: try FileManager.default.removeItem(atPath: left.path + "/" + what)
        }
        let error = #expect(throws: ServerError.self) { try AccountFile(folder: left.path) }
        #expect(error?.code == .corrupt && error?.message.contains("accounts.sqlite") == true)
    }

    @Test func `who brings no key or no credential is refused`() async throws {
        try await withAccounts { client async throws in
            let bare = try await client.http.send("POST", "/v1/accounts:signUp", "{}")
            #expect(bare.status == 403 && bare.body.contains("The request is missing a valid API key."))
            let header = try await client.http.send("POST", "/v1/accounts:signUp", "{}", ["X-Goog-Api-Key": "any"])
            #expect(header.status == 200)
            for headers in [[:], ["Authorization": "Bearer owner"], ["Authorization": "Bearer x"]] {
                let path = "/v1/projects/demo/accounts:lookup"
                let answer = try await client.call(path, [:], headers)
                #expect(answer.status == 401)
                #expect(answer.body["error"]?.members?["status"] == "UNAUTHENTICATED")
            }
            let path = "/v1/projects/demo/accounts:lookup"
            #expect(try await client.call(path, ["localId": ["x"]], AccountClient.admin).status == 200)
            let other = "/v1/projects/other/accounts:lookup"
            #expect(try await client.call(other, [:], AccountClient.admin).status == 403)
            for path in ["/emulator/action", "/emulator/v1/projects/demo/config", "/v1/nothing"] {
                #expect(try await client.http.send("GET", path).status == 404, "\(path)")
            }
            #expect(try await client.http.send("DELETE", "/emulator/v1/projects/demo/accounts").status != 200)
        }
    }

    @Test func `bodies are JSON objects, and not too long`() async throws {
        try await withAccounts { client async throws in
            for body in ["[", "[]", "{\"email\":}", "\u{0}"] {
                #expect(try await client.http.send("POST", "/v1/accounts:signUp?key=k", body).status == 400, "\(body)")
            }
            let long = "{\"displayName\":\"\(String(repeating: "x", count: 70_000))\"}"
            #expect(try await client.http.send("POST", "/v1/accounts:signUp?key=k", long).status == 413)
        }
    }

    @Test func `guessing ends after ten attempts, for an address and from one`() async throws {
        try await withAccounts { client async throws in
            _ = try await client.signUp()
            for _ in 0..<20 { #expect(try await client.signIn() == nil) }
            for _ in 0..<10 { #expect(try await client.signIn("a@b.c", "guess1") == "INVALID_LOGIN_CREDENTIALS") }
            #expect(try await client.signIn() == "TOO_MANY_ATTEMPTS_TRY_LATER")
            #expect(try await client.signIn("nobody@b.c", "guess1") == "TOO_MANY_ATTEMPTS_TRY_LATER")
        }
        try await withAccounts(emulator: true) { client async throws in
            for _ in 0..<12 { #expect(try await client.signIn() == "EMAIL_NOT_FOUND") }
        }
    }

    @Test func `who has signed up makes no database where there are no rules`() async throws {
        try await withAccounts(options: { $0.rules = nil }) { client async throws in
            let token = try await client.signUp()["idToken"]?.text ?? ""
            let target = "/a.json?ns=new"
            #expect(try await client.http.send("PUT", "\(target)&auth=\(token)", "1").status == 401)
            #expect(try await client.http.send("PUT", target, "1", AccountClient.admin).status == 200)
            #expect(try await client.http.send("PUT", "\(target)&auth=\(token)", "2").status == 200)
        }
    }

    @Test func `a web page of any origin may ask`() async throws {
        try await withAccounts { client async throws in
            let origin = "https://app.example.org"
            let asked = try await client.http.send(
                "OPTIONS", "/v1/accounts:signUp?key=k", nil,
                [
                    "Origin": origin, "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers": "content-type,x-client-version",
                    "Access-Control-Request-Private-Network": "true",
                ])
            #expect(asked.status == 204)
            #expect(asked.headers["access-control-allow-origin"] == origin)
            #expect(asked.headers["access-control-allow-headers"] == "content-type,x-client-version")
            #expect(asked.headers["access-control-allow-private-network"] == "true")
            let refused = try await client.http.send("POST", "/v1/accounts:lookup?key=k", "{}", ["Origin": origin])
            #expect(refused.status == 400 && refused.headers["access-control-allow-origin"] == origin)
        }
    }

    @Test(arguments: [
        "/v1/accounts:signUp?key=any", "/v1/token?key=any", "/v0/b/demo.appspot.com/o?name=profiles/anna.jpg",
    ])
    func `a client that goes away in the middle of a body is refused, and no failure of the hub`(
        _ target: String
    ) async throws {
        let (logger, events) = NotedEvents.make()
        try await withAccounts(logger: logger) { client in
            let fields = "Host: localhost\r\nAuthorization: Bearer \(AccountClient.secret)\r\nContent-Length: 100"
            let request = "POST \(target) HTTP/1.1\r\n\(fields)\r\n\r\n{\"email\":"
            let answer = try await exchange(request, with: client.http, halfClosing: true)
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("did not come to its end"), "\(answer)")
        }
        for await event in events {
            #expect(event["error"] == nil, "\(event)")
            if event["event"] == "server.stopped" { break }
        }
    }

    @Test func `an emulator's administrator is nobody's web page`() async throws {
        try await withAccounts(emulator: true) { client async throws in
            let path = "/v1/projects/any/accounts:lookup"
            func status(_ origin: String?) async throws -> Int {
                var headers = ["Authorization": "Bearer Owner"]
                headers["Origin"] = origin
                return try await client.call(path, [:], headers).status
            }
            #expect(try await status(nil) == 200)
            #expect(try await status("http://localhost:3000") == 200)
            #expect(try await status("https://localhost.example.org") == 403)
            #expect(try await client.http.get("/").contains(#""ready":true"#))
            let accounts = "/emulator/v1/projects/any/accounts"
            let page = ["Origin": "https://example.org"]
            _ = try await client.signUp()
            #expect(try await client.http.send("DELETE", accounts, nil, page).status == 403)
            #expect(try await client.signIn() == nil)
            let ownPage = ["Origin": "http://127.0.0.1:5000"]
            for method in ["POST", "OPTIONS"] {
                let signUp = "/v1/accounts:signUp?key=k"
                #expect(try await client.http.send(method, signUp, "{}", page).status == 403)
                #expect(try await client.http.send(method, signUp, "{}", ownPage).status < 300)
            }
            #expect(try await client.http.send("DELETE", accounts).status == 200)
            #expect(try await client.signIn() == "EMAIL_NOT_FOUND")
            let config = "/emulator/v1/projects/any/config"
            let change = #"{"emailPrivacyConfig":{"enableImprovedEmailPrivacy":true}}"#
            #expect(try await client.http.send("PATCH", config, change).body.contains(":true"))
            #expect(try await client.signIn() == "INVALID_LOGIN_CREDENTIALS")
            #expect(try await client.http.get("/.json").contains("Permission denied"))
        }
    }
}
