internal import Logging
internal import PluginKit

/// Reaches the remote once, with the configured credential, and changes nothing there.
enum RemoteProbe {
    /// Reads one key of every keyspace that will be used; the answer is a line for people.
    ///
    /// - Throws: what the remote throws, where it can't be reached or refuses.
    static func reach(_ settings: Settings) async throws -> String {
        guard settings.remote.plugin == .firebase else {
            return "remote: the embedded server, which runs with the daemon only"
        }
        let quiet = Logger(label: "moviesyncd") { _ in SwiftLogNoOpLogHandler() }
        let remote = try ConfiguredRemote.make(settings, local: nil, logger: quiet)
        let outcome: Result<Void, any Error>
        do {
            for collection in settings.collections {
                _ = try await remote.read("moviesync-probe", in: .records(collection.id))
                if remote.keepsTombstones {
                    _ = try await remote.read("moviesync-probe", in: .tombstones(collection.id))
                }
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await remote.shutdown()
        try outcome.get()
        return "remote: \(remote.address) answers"
    }
}
