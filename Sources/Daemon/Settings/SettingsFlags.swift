/// The command line's share of the settings.
package struct SettingsFlags: Equatable, Sendable {
    package var config: String?
    /// Texts by the names of keys, for the flags that were given.
    package var values: [String: String]

    package init(config: String? = nil, values: [String: String?] = [:]) {
        self.config = config
        self.values = values.compactMapValues(\.self)
    }
}
