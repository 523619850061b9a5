package import ControlAPI
internal import SyncModel
internal import Synchronization

/// Plugins made of values; it notes which of them were restarted.
package final class FakePluginService: PluginService {
    private let replies: [PluginReply]
    private let restarts = Mutex<[String]>([])

    package init(_ replies: [PluginReply] = FakePluginService.samples) { self.replies = replies }

    /// The plugins that were restarted, in order.
    package var restarted: [String] { restarts.withLock { $0 } }

    package func plugins() -> [PluginReply] { replies }

    package func restart(plugin name: String) throws(ControlError) {
        guard replies.contains(where: { $0.name == name }) else { throw .unknownPlugin(name) }
        restarts.withLock { $0.append(name) }
    }

    /// One that runs, and one that is down.
    package static var samples: [PluginReply] {
        let moment = FakeControlService.moment
        var far = PluginReply(
            name: "far", state: .down, trust: .unit, reason: "it closed the connection", since: moment)
        far.failures = 5
        far.starts = 5
        var shelf = PluginReply(
            name: "shelf", state: .running, trust: .child, since: moment, program: "shelf", version: "1.0",
            provides: ["catalog": ["search": true]], pid: 4712)
        shelf.calls = 3
        shelf.failedCalls = 1
        shelf.starts = 1
        shelf.secretsMissing = ["key"]
        return [far, shelf]
    }
}
