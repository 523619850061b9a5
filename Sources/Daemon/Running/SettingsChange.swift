internal import PluginKit

/// What differs between two settings: what can be put in force at once, and what needs a restart.
struct SettingsChange: Equatable {
    /// The names of the keys, as people write them.
    private(set) var live: [String] = []
    /// The names of the keys, or of their section where that says enough.
    private(set) var needsRestart: [String] = []
    /// The old settings with all that can change at once.
    private(set) var applied: Settings

    init(from old: Settings, to new: Settings, _ declarations: [SettingDeclaration]) {
        applied = old
        for key in declarations where old.values.differs(from: new.values, at: key.name) {
            if key.isReloadable {
                live.append(key.name)
                applied.values.take(key.name, from: new.values)
            } else if !needsRestart.contains(key.restartName) {
                needsRestart.append(key.restartName)
            }
        }
        if old.declared != new.declared { needsRestart.append(DeclaredFolder.name) }
        if old.plugins != new.plugins {
            live.append(PluginSections.name)
            applied.plugins = new.plugins
        }
        if old.hooks != new.hooks {
            live.append("hooks")
            applied.hooks = new.hooks
        }
    }
}
