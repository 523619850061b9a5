internal import OperatingSystem

/// The variables that a plugin's program gets: what every program needs, and nothing that the daemon was told in private.
package enum PluginSurroundings {
    package static let standardPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    /// - Parameter name: the plugin's name in the configuration.
    package static func variables(for name: String) -> [String: String] {
        var variables = ["PATH": standardPath, "PYTHONUNBUFFERED": "1", "MOVIESYNC_PLUGIN": name]
        for inherited in [
            "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "SSL_CERT_FILE", "SSL_CERT_DIR",
        ] {
            if let value = ThisProcess.environment(inherited) { variables[inherited] = value }
        }
        return variables
    }
}
