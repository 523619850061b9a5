import ControlAPI
import Foundation
import Logging
import PluginKit
import SyncCore
import SyncModel
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import SyncEngine

/// Tokens that the configuration names.
struct PersonSessionsTests {
    /// Lets nobody in, and gives everybody a remote.
    private struct SilentAccounts: RemoteAccounts {
        func signIn(email: String, password: String) throws -> RemoteGrant { throw AccountError(.offline, "silent") }

        func register(email: String, password: String) throws -> RemoteGrant { throw AccountError(.offline, "silent") }

        func grant(_ refreshToken: String) throws -> RemoteGrant { throw AccountError(.offline, "silent") }

        func remote(
            actingWith refreshToken: String, renewed: @escaping @Sendable (_ last: String, _ next: String) -> Void
        ) -> any Remote { FakeRemote() }
    }

    private final class Told: Sendable {
        private let last = Mutex<[String]>([])

        var words: [String] { last.withLock { $0 } }

        func note(_ words: [String]) { last.withLock { $0 = words } }
    }

    @Test func `what could not be kept is kept later, and told of until then`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending("sessions.json").string
            let told = Mutex<String?>(nil)
            let sessions = PersonSessions(path: path, logger: Logger(label: "test")) { trouble in
                told.withLock { $0 = trouble.unsaved }
            }
            func kept() -> [String] {
                PersonSessions(path: path, logger: Logger(label: "test")) { _ in }.book.sessions.map(\.name)
            }
            let anna = PersonSession(name: "anna", uid: "A", email: nil, refreshToken: "a", since: 1)
            sessions.change { _ = $0.add(anna, for: nil) }
            #expect(kept() == ["anna"] && told.withLock { $0 } == nil && sessions.saveAgain())
            try FileManager.default.createDirectory(atPath: path + ".part", withIntermediateDirectories: false)
            sessions.change { _ = $0.remove(named: "anna") }
            #expect(kept() == ["anna"] && told.withLock { $0 } != nil && !sessions.saveAgain())
            try FileManager.default.removeItem(atPath: path + ".part")
            #expect(sessions.saveAgain() && kept() == [] && told.withLock { $0 } == nil)
        }
    }

    @Test func `sessions that can't be read are not written over`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending("sessions.json").string
            let mode = [FileAttributeKey.posixPermissions: 0o600]
            #expect(FileManager.default.createFile(atPath: path, contents: Data("{\"ses".utf8), attributes: mode))
            let sessions = PersonSessions(path: path, logger: Logger(label: "test")) { _ in }
            sessions.change {
                _ = $0.add(PersonSession(name: "b", uid: "B", email: nil, refreshToken: "b", since: 1), for: nil)
            }
            #expect(FileManager.default.contents(atPath: path + ".unreadable") == Data("{\"ses".utf8))
            #expect(sessions.unsaved == nil)
            // Nor are those that others may read: that can be mended.
            let open = [FileAttributeKey.posixPermissions: 0o644]
            try FileManager.default.setAttributes(open, ofItemAtPath: path)
            let unread = Mutex<String?>(nil)
            let others = PersonSessions(path: path, logger: Logger(label: "test")) { trouble in
                unread.withLock { $0 = trouble.unread }
            }
            #expect(unread.withLock { $0?.contains(path) } == true)
            #expect(others.book.sessions.isEmpty && FileManager.default.fileExists(atPath: path))
            others.change {
                _ = $0.add(PersonSession(name: "c", uid: "C", email: nil, refreshToken: "c", since: 1), for: nil)
            }
            #expect(unread.withLock { $0 } == nil)
            #expect(FileManager.default.fileExists(atPath: path + ".unreadable.2"))
            #expect(FileManager.default.contents(atPath: path + ".unreadable") == Data("{\"ses".utf8))
        }
    }

    @Test func `a token that can't be read is told of, until it can`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending("anna.token").string
            let told = Told()
            let sessions = PersonSessions(path: nil, logger: Logger(label: "test")) { told.note($0.ended) }
            var users = UserSettings()
            users.tokens = ["anna": file]
            sessions.configure(users, now: 1)
            #expect(told.words.count == 1 && told.words.first?.contains("users.tokens.anna") == true)
            #expect(sessions.book.session(named: "anna")?.ended != nil)
            let secret = [FileAttributeKey.posixPermissions: 0o600]
            #expect(FileManager.default.createFile(atPath: file, contents: Data("secret".utf8), attributes: secret))
            #expect(sessions.readTokensAgain(now: 2) == TokenNews(changed: ["anna"]))
            #expect(told.words.isEmpty)
            #expect(sessions.book.session(named: "anna")?.refreshToken == "secret")
            #expect(sessions.readTokensAgain(now: 2) == TokenNews())
            #expect(FileManager.default.createFile(atPath: file, contents: Data("other".utf8), attributes: secret))
            #expect(sessions.readTokensAgain(now: 3) == TokenNews(changed: ["anna"]))
            try FileManager.default.removeItem(atPath: file)
            let news = sessions.readTokensAgain(now: 4)
            #expect(news.changed.isEmpty && news.problems.first?.hasPrefix("users.tokens.anna: ") == true)
            #expect(told.words.count == 1)
        }
    }

    @Test func `a user whom the configuration names is nobody else, also where that person has not signed in`() {
        let sessions = PersonSessions(path: nil, logger: Logger(label: "test")) { _ in }
        var users = UserSettings(people: [2001: "anna", 2002: "bobuid"])
        sessions.configure(users, now: 1)
        #expect(sessions.person(of: 2001).uid == "anna" && sessions.person(of: 2002).uid == "bobuid")
        #expect(sessions.person(of: 2003) == .nobody)
        users.tokens = ["anna": "/nowhere/anna.token"]
        sessions.configure(users, now: 2)
        sessions.change { _ = $0.remove(named: "anna") }
        #expect(sessions.person(of: 2001).state == .ended && sessions.person(of: 2001).uid.isEmpty)
        #expect(sessions.isGiven("anna", butNotTo: 2066) && !sessions.isGiven("anna", butNotTo: 2001))
        #expect(!sessions.isGiven("carl", butNotTo: 2066) && sessions.chosen(for: 2001) == "anna")
    }

    @Test func `the name of a session of the configuration is no uid, also where the session is gone`() {
        let sessions = PersonSessions(path: nil, logger: Logger(label: "test")) { _ in }
        sessions.configure(UserSettings(tokens: ["anna": "/nowhere/anna.token"]), now: 1)
        sessions.change { _ = $0.remove(named: "anna") }
        let reply = sessions.replies.first
        #expect(reply?.name == "anna" && reply?.uid == "" && reply?.state == .ended && reply?.configured == true)
        #expect(sessions.replies.count == 1)
        sessions.configure(UserSettings(tokens: ["anna": "/nowhere/anna.token"]), now: 2)
        #expect(sessions.replies.count == 1 && sessions.book.session(named: "anna") != nil)
    }

    @Test func `two names for one account are told of, and what was said under the wrong one waits`() throws {
        let told = Told()
        let sessions = PersonSessions(path: nil, logger: Logger(label: "test")) { told.note($0.ended) }
        let remote = FakeRemote()
        remote.serve(SilentAccounts())
        func grant(_ name: String, _ uid: String, next: String) throws {
            let session = try #require(sessions.book.session(named: name))
            sessions.resolve(session, RemoteGrant(uid: uid, email: nil, refreshToken: next))
        }
        func failure(as person: String) -> RemoteError.Code? {
            do {
                _ = try sessions.remote(as: person, remote, number: 0)
                return nil
            } catch {
                return error.code
            }
        }
        sessions.change { $0.configure(["anna": "a", "bob": "b"], now: 1) }
        try grant("anna", "A", next: "a")
        try grant("bob", "B", next: "b")
        #expect(failure(as: "B") == nil && told.words.isEmpty)
        sessions.change { $0.configure(["anna": "a", "bob": "a2"], now: 2) }
        #expect(failure(as: "B") == .personUnreachable && failure(as: "A") == nil)
        // Also where the token is renewed on that occasion.
        try grant("bob", "A", next: "a3")
        #expect(failure(as: "B") == .sessionEnded && failure(as: "A") == nil)
        #expect(told.words.count == 1)
        #expect(told.words.first?.hasSuffix("this is the account of users.tokens.anna, too") == true)
        #expect(sessions.replies.map(\.uid) == ["A", ""] && sessions.replies.last?.state == .ended)
    }

    @Test func `what fails late in the name of a session says nothing of the one that took its place`() {
        func session(_ token: String) -> PersonSession {
            PersonSession(name: "anna", uid: "A", email: nil, refreshToken: token, since: 1)
        }
        let sessions = PersonSessions(path: nil, logger: Logger(label: "test")) { _ in }
        let error = RemoteError(.sessionEnded, "the account was changed since")
        sessions.change { _ = $0.add(session("old"), for: nil) }
        // Two requests at once.
        for _ in 0..<2 { #expect(sessions.ended(session("old"), error)?.code == .sessionEnded) }
        sessions.change { _ = $0.add(session("new"), for: nil) }
        #expect(sessions.ended(session("old"), error)?.code == nil)
        #expect(sessions.book.session(uid: "A")?.ended == nil)
        sessions.change { _ = $0.remove(named: "anna") }
        #expect(sessions.ended(session("new"), error)?.code == nil)
    }
}
