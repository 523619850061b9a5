package import ControlAPI
internal import PluginKit

/// How the remote is set up.
extension SyncEngine {
    package func checks() async -> [RemoteCheckReply] {
        let keyspaces = collections.flatMap(\.keyspaces)
        let session = context.session
        return await session.remote.checks(keyspaces, session.writeGuard).map { RemoteCheckReply($0) }
    }
}
