import Foundation
import PluginKit
import SystemPackage
import TestSupport

@testable import Daemon

extension FuzzTarget {
    /// `moviesync.yaml`.
    static let configuration = FuzzTarget(
        "configuration",
        seeds: [
            "state: /var/lib/moviesync\njournal: journal.jsonl\nremote:\n  plugin: firebase\n  url: https://a.firebaseio.com\n"
                + "collections:\n  enabled: [movies, artists]\n  movies:\n    base: films\n    pull: incremental\n",
            "remote: {plugin: local, url: \"http://127.0.0.1:9000\"}\nclock:\n  maxAhead: 1m\nlog:\n  level: debug # x\n",
            "%YAML 1.1\n---\n? state\n: |\n  /a\n", "# nothing\n", "a: &x [1, 2]\nb: *x\n", "state: ~\nsocket: ''\n",
        ],
        words: [
            "state", "remote:\n", "  plugin: ", "firebase", "local", "url: ", "collections:\n", "enabled: ", "&a ",
            "*a ",
            "<<: ", "!!binary ", "!!", "- ", "? ", ": ", "|\n", ">-\n", "---\n", "...\n", "# ", "'", "\"", "  ",
            "%TAG ",
        ],
        turns: 60
    ) { body in
        let folder = try TemporaryFolder()
        let plugins = try PluginRegistry.builtIn()
        try await body { input in
            let file = folder("moviesync.yaml")
            try Data(input).write(to: URL(filePath: file))
            let source = SettingsSource(
                flags: SettingsFlags(config: file), environment: ["HOME": "/home/ann"], plugins: plugins,
                workingDirectory: FilePath(folder.path), userID: 1000)
            do throws(SettingsRejected) {
                _ = try await source.load()
                return true
            } catch {
                for problem in error.problems { try promiseOneLine(problem) }
                return false
            }
        }
    }
}
