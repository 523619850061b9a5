package import HookDelivery
package import Logging
package import PluginHost
package import PluginKit
package import SyncEngine
package import SyncModel
package import SystemPackage

/// All that a person can configure, checked and typed: every path is absolute, every word is known, and no two keys
/// contradict each other.
///
/// Two loads of the same file, environment and flags are equal, so that a reload can tell what has changed. No secret
/// is part of it, only the place where one is kept.
package struct Settings: Equatable, Sendable {
    /// What every key has.
    package var values: SettingValues
    /// The folder of the state, of the change feed and of their lock.
    package let state: FilePath
    /// The file that programs append operations to.
    package let journal: FilePath
    package let socket: FilePath
    /// The enabled collections, in the order they are listed.
    package var collections: [Collection]
    /// The name of the remote's plugin.
    package let remotePlugin: String
    /// The plugins in other processes, by name.
    package var plugins: [PluginSettings] = []
    /// The webhooks, and the programs of `hooks.d`.
    package var hooks: [HookSettings] = []
    /// The people of this machine.
    package var users = UserSettings()
    /// What stands for each collection that is declared in a file, by name.
    package var declared: [String: String] = [:]
    /// Digests of what stands in the files that the chosen remote's keys name, by the names of the keys.
    package var contents: [String: [UInt8]] = [:]

    package subscript<Value>(key: SettingKey<Value>) -> Value { values[key] }

    package var log: Log { Log(level: self[CoreKeys.logLevel], format: self[CoreKeys.logFormat]) }

    /// Where the change feed is.
    package var changeFeed: FilePath { state.appending("changes.jsonl") }
}

extension Settings {
    package struct Collection: Equatable, Sendable {
        package var id: CollectionID
        /// The path in the database, without slashes at its ends; empty for the root.
        package var base: String
        package var pull: PullMode
        package var merge: MergeMode
    }

    package struct Log: Equatable, Sendable {
        package enum Format: String, CaseIterable, Sendable { case auto, journald, text, json }

        package var level: Logger.Level
        package var format: Format
    }
}
