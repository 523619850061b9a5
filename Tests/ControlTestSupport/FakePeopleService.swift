package import ControlAPI
internal import OperatingSystem
internal import Synchronization

/// Anna, who can sign in with the password `geheim`, and bob, who is another user's.
package final class FakePeopleService: PeopleService {
    private let anna = Mutex<SessionReply?>(nil)
    private static let bob = SessionReply(
        name: "bob", uid: "B", email: "bob@example.org", state: .ended, reason: "the account is disabled",
        since: Moment(milliseconds: 1_763_669_704_120), localUsers: [4_000_000_000])

    package init() {}

    package func person(of user: UInt32?) -> SessionReply {
        user == ThisProcess.user ? anna.withLock { $0 } ?? .nobody : .nobody
    }

    package func session(named name: String) throws(ControlError) -> SessionReply {
        guard let session = sessions().first(where: { $0.name == name }) else { throw .unknownSession(name) }
        return session
    }

    package func sessions() -> [SessionReply] { (anna.withLock { $0 }.map { [$0] } ?? []) + [FakePeopleService.bob] }

    package func signIn(_ order: SignInOrder, user: UInt32?) async throws -> SessionReply {
        guard order.password == "geheim" else {
            throw ControlError(401, "wrongCredentials", "no account has this e-mail address with this password")
        }
        let session = SessionReply(
            name: order.name ?? "anna", uid: "A", email: order.email, state: .signedIn,
            since: Moment(milliseconds: 1_763_669_704_120), localUsers: user.map { [$0] } ?? [])
        anna.withLock { $0 = session }
        return session
    }

    package func signOut(_ name: String) async throws -> SessionReply {
        defer { anna.withLock { $0 = nil } }
        return try session(named: name)
    }
}
