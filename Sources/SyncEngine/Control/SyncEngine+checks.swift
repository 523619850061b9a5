package import ControlAPI
package import PluginKit
internal import SyncModel

/// How the remote is set up.
extension SyncEngine {
    package func checks() async -> [RemoteCheckReply] { await checks(within: SyncEngine.answerPatience / 2) }

    /// The same, with what the remote may take for its first answer.
    func checks(within time: Duration) async -> [RemoteCheckReply] {
        // Several questions follow, and each would wait for a remote that hangs.
        if let silence = await remoteSilence(within: time) {
            return [RemoteCheckReply(RemoteCheck("rules", .unknown, "not checked: \(silence)"))]
        }
        let keyspaces = collections.flatMap(\.keyspaces)
        let session = context.session
        return await session.remote.checks(keyspaces, session.writeGuard).map { RemoteCheckReply($0) }
    }

    /// Where the remote of now keeps the pictures of people; nil where it keeps none.
    package var pictures: (any RemotePictures)? { context.remote.pictures }

    /// The same, where pictures are stored and removed in the name of a person who has signed in, and in the daemon's else;
    /// `sessionEnded` where they have to sign in again.
    package func pictures(of person: String) -> (any RemotePictures)? {
        context.remote.pictures.map { PersonPictures(person: person, shared: $0, context: context) }
    }
}
