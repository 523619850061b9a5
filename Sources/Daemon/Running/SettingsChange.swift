internal import PluginKit
internal import SyncModel

/// What differs between two settings: what can be put in force at once, and what needs a restart.
struct SettingsChange: Equatable {
    /// The names of the keys, as people write them.
    private(set) var live: [String] = []
    /// The names of the keys, or of their section where that says enough.
    private(set) var needsRestart: [String] = []
    /// The old settings with all that can change at once.
    private(set) var applied: Settings
    /// Whether what runs with the remote has to begin anew: another address, another credential, other collections.
    private(set) var changesSession = false

    /// The sections whose keys belong together: none of them changes without the others.
    private static let session = ["remote", "collections"]

    init(from old: Settings, to new: Settings, _ declarations: [SettingDeclaration]) {
        applied = old
        let session = declarations.filter { SettingsChange.session.contains($0.path[0]) }
        let sessionWaits = SettingsChange.sessionWaits(from: old, to: new, declarations)
        for key in declarations where SettingsChange.differs(key, old, new) {
            let isOfSession = session.contains { $0.name == key.name }
            let isWorthTelling = SettingsChange.isWorthTelling(key, old, new)
            if key.isReloadable, !isOfSession || !sessionWaits {
                if !isOfSession { applied.values.take(key.name, from: new.values) }
                changesSession = changesSession || isOfSession
                if isWorthTelling { live.append(key.name) }
            } else if isWorthTelling, !needsRestart.contains(key.restartName) {
                needsRestart.append(key.restartName)
            }
        }
        takeDeclared(from: old, to: new, waits: sessionWaits)
        if changesSession { takeSession(from: new, session) }
        if old.plugins != new.plugins {
            live.append(PluginSections.name)
            applied.plugins = new.plugins
        }
        if old.users != new.users {
            live.append(UserSection.name)
            applied.users = new.users
        }
        if old.hooks != new.hooks {
            live.append("hooks")
            applied.hooks = new.hooks
        }
    }

    private mutating func takeDeclared(from old: Settings, to new: Settings, waits: Bool) {
        guard old.declared != new.declared else { return }
        if waits {
            needsRestart.append(DeclaredFolder.name)
        } else {
            live.append(DeclaredFolder.name)
            applied.declared = new.declared
            changesSession = true
        }
    }

    private mutating func takeSession(from new: Settings, _ keys: [SettingDeclaration]) {
        for key in keys {
            applied.values.take(key.name, from: new.values)
            applied.contents[key.name] = new.contents[key.name]
        }
        applied.collections = new.collections
    }

    private static func differs(_ key: SettingDeclaration, _ old: Settings, _ new: Settings) -> Bool {
        old.values.differs(from: new.values, at: key.name) || old.contents[key.name] != new.contents[key.name]
    }

    /// Whether the keys of the session wait for a restart: another kind of remote needs one, and rules that are to guard
    /// writes guard them only when the built-in hub obeys them.
    private static func sessionWaits(
        from old: Settings, to new: Settings, _ declarations: [SettingDeclaration]
    ) -> Bool {
        guard old.remotePlugin == new.remotePlugin else { return true }
        return old[RemoteKeys.writeGuard] != new[RemoteKeys.writeGuard]
            && declarations.contains { $0.path[0] == new.remotePlugin && differs($0, old, new) }
    }

    /// Of a collection that comes or goes, the list of collections says enough.
    private static func isWorthTelling(_ key: SettingDeclaration, _ old: Settings, _ new: Settings) -> Bool {
        guard key.path.count == 3, key.path[0] == "collections" else { return true }
        return [old, new].allSatisfy { $0.collections.contains { $0.id.name == key.path[1] } }
    }
}
