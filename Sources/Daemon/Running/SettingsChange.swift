internal import SyncModel

/// What differs between two settings: what can be put in force at once, and what needs a restart.
struct SettingsChange: Equatable {
    /// The names of the keys, as people write them.
    var live: [String] = []
    var needsRestart: [String] = []

    init(from old: Settings, to new: Settings) {
        for (name, differs) in Self.liveKeys where differs(old, new) { live.append(name) }
        for (name, differs) in Self.fixedKeys where differs(old, new) { needsRestart.append(name) }
    }

    /// `settings` with all that can change at once taken from `new`.
    static func applied(_ new: Settings, to settings: Settings) -> Settings {
        var settings = settings
        settings.log.level = new.log.level
        settings.maxAhead = new.maxAhead
        settings.keepTombstones = new.keepTombstones
        return settings
    }

    private typealias Comparison = @Sendable (Settings, Settings) -> Bool

    private static let liveKeys: [(String, Comparison)] = [
        ("log.level", { $0.log.level != $1.log.level }),
        ("clock.maxAhead", { $0.maxAhead != $1.maxAhead }),
        ("tombstones.keep", { $0.keepTombstones != $1.keepTombstones }),
    ]

    private static let fixedKeys: [(String, Comparison)] = [
        ("state", { $0.state != $1.state }),
        ("journal", { $0.journal != $1.journal }),
        ("socket", { $0.socket != $1.socket }),
        ("collections", { $0.collections != $1.collections }),
        ("remote.plugin", { $0.remote.plugin != $1.remote.plugin }),
        ("remote.url", { ($0.remote.url, $0.remote.namespace) != ($1.remote.url, $1.remote.namespace) }),
        ("remote.meta", { $0.remote.meta != $1.remote.meta }),
        ("remote.credential", { $0.remote.credential != $1.remote.credential }),
        ("remote.writeGuard", { $0.remote.writeGuard != $1.remote.writeGuard }),
        ("remote.tls.caFile", { $0.remote.caFile != $1.remote.caFile }),
        ("local", { $0.local != $1.local }),
        ("log.format", { $0.log.format != $1.log.format }),
    ]
}
