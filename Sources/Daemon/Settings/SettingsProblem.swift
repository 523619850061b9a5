internal import SyncModel

/// One thing that is wrong with the configuration: where, what, and what to do.
package struct SettingsProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package var origin: SettingOrigin
    package var message: String

    /// - Parameter message: may quote anything, see ``Swift/String/oneLine``.
    package init(_ origin: SettingOrigin, _ message: String) {
        self.origin = origin
        self.message = message.oneLine
    }

    package var description: String { "\(origin): \(message)" }
}
