import Accounts
import Foundation
import JSONText
import Logging
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

/// Where codes go.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct CodeDeliveryTests {
    @Test func `a program gets the code on standard input, and nobody else sees it`() async throws {
        let folder = try TemporaryFolder()
        let (program, pipe) = (folder.path + "/mail", folder.path + "/told")
        try Data("#!/bin/sh\n{ echo \"$*\"; cat; } > \(pipe)\n".utf8).write(to: URL(filePath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        #expect(mkfifo(pipe, 0o600) == 0)
        let (logger, events) = NotedEvents.make()
        let reading = Task.detached {
            let told = try #require(FileHandle(forReadingAtPath: pipe))
            return String(decoding: told.readDataToEndOfFile(), as: UTF8.self)
        }
        let text = try await withAccounts(options: { $0.accounts?.codesTo = program }, logger: logger) {
            client async throws in
            _ = try await client.signUp()
            let answer = try await client.call("sendOobCode", ["requestType": "PASSWORD_RESET", "email": "a@b.c"])
            #expect(answer.status == 200 && answer.body["oobCode"] == nil)
            let text = try await reading.value
            let told = try JSONReader.members(Array(text.split(separator: "\n")[1].utf8))
            let code = told["code"] ?? .null
            #expect(told["email"] == "a@b.c" && told["link"]?.text?.contains(code.text ?? "-") == true)
            #expect(told["link"]?.text?.hasPrefix("http://127.0.0.1:") == true)
            let reset = try await client.refusal("resetPassword", ["oobCode": code, "newPassword": "another"])
            #expect(reset == nil)
            return text
        }
        #expect(text.split(separator: "\n").first == "PASSWORD_RESET")
        for await event in events {
            #expect(!"\(event)".contains("a@b.c") && !"\(event)".contains("secret"))
            if event["event"] == "server.stopped" { break }
        }
    }

    /// What the log says of the first code.
    private func told(_ events: AsyncStream<Logger.Metadata>) async -> [String: String] {
        for await event in events where event["event"] == "account.code" { return event.mapValues { "\($0)" } }
        return [:]
    }

    @Test func `without a program the log says who asked, and keeps the code to itself`() async throws {
        let (logger, events) = NotedEvents.make()
        try await withAccounts(logger: logger) { client async throws in
            _ = try await client.signUp()
            for email in ["nobody@b.c", "a@b.c"] {
                let asked: JSONValue = ["requestType": "PASSWORD_RESET", "email": .string(email)]
                #expect(try await client.call("sendOobCode", asked).body["email"] == .string(email))
            }
            let sent = await told(events)
            #expect(sent == ["event": "account.code", "email": "a@b.c", "request": "PASSWORD_RESET"])
        }
    }

    @Test func `without a program an emulator shows the code in the log`() async throws {
        let (logger, events) = NotedEvents.make()
        try await withAccounts(emulator: true, logger: logger) { client async throws in
            _ = try await client.signUp()
            _ = try await client.call("sendOobCode", ["requestType": "PASSWORD_RESET", "email": "a@b.c"])
            let sent = await told(events)
            #expect(sent["link"]?.contains(sent["code"] ?? "-") == true)
            let check = try await client.call("resetPassword", ["oobCode": .string(sent["code"] ?? "")])
            #expect(check.body["email"] == "a@b.c")
        }
    }
}
