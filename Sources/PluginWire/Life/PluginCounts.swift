/// What has happened to a plugin since the daemon started.
package struct PluginCounts: Hashable, Sendable {
    package var starts = 0
    /// Lives that ended in a failure.
    package var failures = 0
    package var calls = 0
    package var failedCalls = 0

    package init() {}
}
