package import ControlAPI
internal import PluginKit

/// How the remote is set up.
extension SyncEngine {
    package func checks() async -> [RemoteCheckReply] {
        let keyspaces = collections.flatMap(\.keyspaces)
        return await context.remote.checks(keyspaces, context.settings.writeGuard).map { RemoteCheckReply($0) }
    }
}
