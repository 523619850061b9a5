package import SystemPackage

/// Settings with what there is to say about them.
package struct LoadedSettings: Equatable, Sendable {
    package var settings: Settings
    /// The file they were read from; nil for built-in defaults.
    package var file: FilePath?
    /// One line each: environment variables with our prefix that mean nothing.
    package var warnings: [String]
}
