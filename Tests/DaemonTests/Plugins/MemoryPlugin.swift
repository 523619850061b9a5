import Foundation
import PluginConformance
import PluginKit
import SyncModel

/// A third kind of remote, as somebody who adds one would write it.
struct MemoryPlugin: RemotePlugin {
    static let shelf = SettingKey.duration("memory.shelfLife", default: "1h", "How long the memory lasts.")

    let name = "memory"
    let summary = "nothing that outlives the daemon."
    let keys = [MemoryPlugin.shelf.declaration]
    let remote = MemoryRemote { UInt64(Date().timeIntervalSince1970 * 1000) }

    func check(_ settings: inout SettingsCheck) {
        guard settings.plugin == name, settings.values[Self.shelf] < .seconds(1) else { return }
        settings.complain(about: Self.shelf, at: RemoteKeys.plugin, "is shorter than a second")
    }

    func makeRemote(_ context: RemoteContext) -> RemoteInstance { RemoteInstance(remote) }
}
