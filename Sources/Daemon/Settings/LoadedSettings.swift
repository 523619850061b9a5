package import PluginKit
package import SystemPackage

/// Settings with what there is to say about them.
package struct LoadedSettings: Sendable {
    package var settings: Settings
    /// The file they were read from; nil for built-in defaults.
    package var file: FilePath?
    /// One line each: environment variables with our prefix that mean nothing.
    package var warnings: [String]
    /// The plugins that are built in, and the collections that files declare.
    package var plugins: PluginRegistry
    /// Every key that these plugins, or the core, declare.
    package var declarations: [SettingDeclaration]
    /// Where the values stand in the file that are below the sections whose keys people choose.
    package var places: [[String]: SettingOrigin] = [:]
}
