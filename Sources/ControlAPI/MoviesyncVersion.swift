/// The version of this product, the same for daemon and tool.
package enum MoviesyncVersion {
    /// What `--version` prints and `status` reports, by semantic versioning.
    package static let current = "0.1.0"
}
