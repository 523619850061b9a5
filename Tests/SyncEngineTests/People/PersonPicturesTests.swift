import ControlAPI
import PluginKit
import SyncCore
import SyncModel
import TestSupport
import Testing

@testable import SyncEngine

/// Pictures that are stored in somebody's name.
struct PersonPicturesTests {
    /// A storage that takes everything, or nothing.
    private struct Storage: RemotePictures {
        var trouble: RemoteError?

        func store(_ jpeg: [UInt8], of person: String) throws -> String {
            if let trouble { throw trouble }
            return "address"
        }

        func remove(of person: String) throws {
            if let trouble { throw trouble }
        }

        func place(of address: String) -> String? { nil }

        func fetch(_ place: String, _ take: ([UInt8]) throws -> Void) throws -> Bool { false }
    }

    /// Everybody's remote fails with this.
    private struct Accounts: RemoteAccounts {
        var trouble: RemoteError

        func signIn(email: String, password: String) throws -> RemoteGrant { throw AccountError(.offline, "silent") }

        func register(email: String, password: String) throws -> RemoteGrant { throw AccountError(.offline, "silent") }

        func grant(_ refreshToken: String) throws -> RemoteGrant { throw AccountError(.offline, "silent") }

        func remote(
            actingWith refreshToken: String, renewed: @escaping @Sendable (_ last: String, _ next: String) -> Void
        ) -> any Remote {
            let remote = FakeRemote()
            remote.serve(Storage(trouble: trouble))
            return remote
        }
    }

    /// Bob has signed in, and what is done in his name fails with this.
    private func engine(failing trouble: RemoteError) throws -> EngineUnderTest {
        let test = try EngineUnderTest()
        test.remote.serve(Storage())
        test.remote.serve(Accounts(trouble: trouble))
        let bob = PersonSession(name: "bob", uid: "B", email: nil, refreshToken: "b", since: 1)
        test.engine.context.people.change { _ = $0.add(bob, for: nil) }
        return test
    }

    @Test func `a session that has ended is noticed by a picture, too`() async throws {
        let test = try engine(failing: RemoteError(.sessionEnded, "the account is disabled"))
        let pictures = try #require(test.engine.pictures(of: "B"))
        #expect(try test.engine.session(named: "bob").state == .signedIn)
        let words = "bob has to sign in again (moviesync login): the account is disabled"
        for _ in 0..<2 {
            let error = await #expect(throws: RemoteError.self) { try await pictures.store([], of: "B") }
            #expect(error?.code == .sessionEnded && error?.message == words)
            #expect(try test.engine.session(named: "bob").state == .ended)
        }
        let error = await #expect(throws: RemoteError.self) { try await pictures.remove(of: "B") }
        #expect(error?.code == .sessionEnded)
        // Who has no session is written for by the daemon.
        let others = try #require(test.engine.pictures(of: "C"))
        #expect(try await others.store([], of: "C") == "address")
    }

    @Test func `a credential that is not taken says nothing of the session, nor of the daemon`() async throws {
        let test = try engine(failing: RemoteError(.unauthorized, "no"))
        let pictures = try #require(test.engine.pictures(of: "B"))
        let error = await #expect(throws: RemoteError.self) { try await pictures.store([], of: "B") }
        #expect(error?.code == .personUnreachable)
        #expect(try test.engine.session(named: "bob").state == .signedIn)
    }
}
