import ControlAPI
import Testing

@testable import ControlCommands

struct DefaultPathsTests {
    private static func paths(
        _ environment: [String: String], existing: Set<String> = [], config: String? = nil, socket: String? = nil
    ) -> DefaultPaths {
        DefaultPaths(
            environment: { environment[$0] }, exists: { existing.contains($0) }, config: config, socket: socket
        ) { side in
            var places = ConfiguredPlaces(file: nil, collections: [], problems: [], warnings: [])
            (places.socket, places.journal) = ("/\(side)/s", "/\(side)/j")
            return places
        }
    }

    @Test(
        arguments: [
            ("/x", ["MOVIESYNC_SOCKET": "/y"], "/x"),
            (nil, ["MOVIESYNC_SOCKET": "/y", "XDG_RUNTIME_DIR": "/run/u"], "/y"),
            (nil, ["XDG_RUNTIME_DIR": "/run/u"], "/run/u/moviesync/control.sock"),
            (nil, ["XDG_RUNTIME_DIR": "/run/other"], "/run/moviesync/control.sock"),
            (nil, ["XDG_RUNTIME_DIR": "/run/u", "HOME": "/h"], "/run/u/moviesync/control.sock"),
            (nil, ["HOME": "/h"], "/h/.local/state/moviesync/control.sock"),
            (nil, ["XDG_STATE_HOME": "/s", "HOME": "/h"], "/run/moviesync/control.sock"),
            (nil, ["MOVIESYNC_SOCKET": "", "XDG_RUNTIME_DIR": ""], "/run/moviesync/control.sock"),
            (
                nil, ["XDG_RUNTIME_DIR": "run/u", "XDG_STATE_HOME": "s", "HOME": "/h"],
                "/h/.local/state/moviesync/control.sock"
            ),
            (nil, ["XDG_RUNTIME_DIR": "/run/u:/x", "HOME": "/h"], "/run/u/moviesync/control.sock"),
        ] as [(String?, [String: String], String)])
    func `the socket is the nearest one`(chosen: String?, environment: [String: String], expected: String) async {
        let paths = DefaultPathsTests.paths(
            environment,
            existing: [
                "/run/u/moviesync/control.sock", "/h/.local/state/moviesync/control.sock", "/var/spool/moviesync",
            ], socket: chosen)
        #expect(await paths.controlSocket() == expected)
    }

    @Test(arguments: [
        (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/moviesync/journal.jsonl"),
        (["HOME": "/h"], "/h/.local/state/moviesync/journal.jsonl"),
        (["XDG_STATE_HOME": "s", "HOME": "/h"], "/h/.local/state/moviesync/journal.jsonl"),
        (["HOME": "/nobody"], "/var/spool/moviesync/journal.jsonl"), ([:], "/var/spool/moviesync/journal.jsonl"),
    ])
    func `without a daemon the journal is where its folder is`(environment: [String: String], expected: String) async {
        let paths = DefaultPathsTests.paths(
            environment, existing: ["/s/moviesync", "/h/.local/state/moviesync", "/var/spool/moviesync"])
        #expect(await paths.journalWithoutDaemon() == expected)
    }

    @Test func `a configuration that was chosen and is wrong stands for no daemon`() async throws {
        func paths(_ config: String?, _ problems: [String]) -> DefaultPaths {
            DefaultPaths(environment: { _ in nil }, exists: { _ in false }, config: config) { _ in
                ConfiguredPlaces(file: config, collections: [], problems: problems, warnings: [])
            }
        }
        try await paths("/c", []).checkChosenConfiguration()
        try await paths(nil, ["it is wrong"]).checkChosenConfiguration()
        let failure = await #expect(throws: CommandFailure.self) {
            try await paths("/c", ["/c: there is no such file", "more"]).checkChosenConfiguration()
        }
        #expect(failure?.code == .badConfiguration)
        let words = "/c: there is no such file (and 1 more): mend it, or name the daemon with --socket"
        #expect(failure?.message == words)
    }

    @Test func `a journal that was named is the one`() {
        let paths = DefaultPathsTests.paths(["MOVIESYNC_JOURNAL": "/y"])
        #expect(paths.journal(chosen: "/x") == "/x")
        #expect(paths.journal(chosen: nil) == "/y")
        #expect(DefaultPathsTests.paths([:]).journal(chosen: nil) == nil)
    }

    @Test(
        arguments: [
            ([:], ["/etc/moviesync/moviesync.yaml"], nil, "/system/s", "/system/j"),
            ([:], ["/etc/moviesync/moviesync.yaml", "/system/s"], nil, "/system/s", "/system/j"),
            (
                ["HOME": "/h"], ["/h/.config/moviesync/moviesync.yaml", "/etc/moviesync/moviesync.yaml"], nil, "/own/s",
                "/own/j"
            ),
            (["HOME": "/h"], ["/h/.config/moviesync/moviesync.yaml", "/system/s"], nil, "/own/s", "/own/j"),
            (["XDG_CONFIG_HOME": "/c"], ["/c/moviesync/moviesync.yaml", "/own/s"], nil, "/own/s", "/own/j"),
            (
                ["XDG_CONFIG_HOME": "/c"], ["/c/moviesync/moviesync.yaml", "/run/moviesync/control.sock"], nil,
                "/own/s", "/own/j"
            ), ([:], ["/run/moviesync/control.sock"], "/x", "/own/s", "/own/j"),
            (
                ["HOME": "/h"], ["/h/.config/moviesync/moviesync.yaml", "/etc/moviesync/moviesync.yaml"],
                "/etc/moviesync/moviesync.yaml", "/system/s", "/system/j"
            ),
            (["MOVIESYNC_STATE": "/x"], [], nil, "/own/s", "/own/j"),
        ] as [([String: String], Set<String>, String?, String, String)])
    func `the configuration says what no flag and no variable does`(
        environment: [String: String], existing: Set<String>, config: String?, socket: String, journal: String
    ) async {
        let paths = DefaultPathsTests.paths(environment, existing: existing, config: config)
        #expect(await paths.controlSocket() == socket)
        #expect(await paths.journalWithoutDaemon() == journal)
    }

    @Test(
        arguments: [
            (["/h/.local/state/moviesync"], nil, "/run/u/moviesync/control.sock", "/h/.local/state/moviesync"),
            (["/h/.local/state/moviesync", "/etc/moviesync/moviesync.yaml"], nil, "/system/s", "/system"),
            (
                ["/h/.local/state/moviesync", "/run/moviesync/control.sock"], nil, "/run/moviesync/control.sock",
                "/var/spool/moviesync"
            ),
            (
                ["/h/.local/state/moviesync", "/etc/moviesync/moviesync.yaml", "/run/moviesync/control.sock"], nil,
                "/run/moviesync/control.sock", "/system"
            ),
            (
                ["/h/.local/state/moviesync", "/run/u/moviesync/control.sock", "/run/moviesync/control.sock"], nil,
                "/run/u/moviesync/control.sock", "/h/.local/state/moviesync"
            ),
            (
                ["/run/u/moviesync/control.sock", "/run/moviesync/control.sock"], "/run/moviesync/control.sock",
                "/run/moviesync/control.sock", "/var/spool/moviesync"
            ),
            (
                ["/run/moviesync/control.sock"], "/run/u/moviesync/control.sock", "/run/u/moviesync/control.sock",
                "/h/.local/state/moviesync"
            ), (["/var/spool/moviesync"], nil, "/run/moviesync/control.sock", "/var/spool/moviesync"),
            ([], nil, "/run/u/moviesync/control.sock", "/h/.local/state/moviesync"),
        ] as [(Set<String>, String?, String, String)])
    func `socket and journal are those of the same daemon`(
        existing: Set<String>, chosen: String?, socket: String, folder: String
    ) async {
        let paths = DefaultPathsTests.paths(
            ["HOME": "/h", "XDG_RUNTIME_DIR": "/run/u"], existing: existing, socket: chosen)
        #expect(await paths.controlSocket() == socket)
        #expect(await paths.journalWithoutDaemon() == folder + (folder == "/system" ? "/j" : "/journal.jsonl"))
    }

    @Test(
        arguments: [
            (["MOVIESYNC_SOCKET": "/x"], nil, nil), ([:], "/x", nil), (["MOVIESYNC_STATE": "/s"], "/x", nil),
            (["MOVIESYNC_STATE": "/s", "MOVIESYNC_SOCKET": "/x"], nil, "/own/j"),
            ([:], "/own/s", "/h/.local/state/moviesync/journal.jsonl"), ([:], "/system/s", "/system/j"),
            (["MOVIESYNC_STATE": "/s"], "/run/moviesync/control.sock", "/system/j"),
        ] as [([String: String], String?, String?)])
    func `a socket that no configuration names has no journal that could be guessed`(
        environment: [String: String], chosen: String?, journal: String?
    ) async {
        let paths = DefaultPathsTests.paths(
            environment.merging(["HOME": "/h"]) { $1 },
            existing: ["/h/.local/state/moviesync", "/etc/moviesync/moviesync.yaml"], socket: chosen)
        #expect(await paths.journalWithoutDaemon() == journal)
        let places = await paths.withoutDaemon()
        #expect((places == nil) == (journal?.hasPrefix("/h") ?? true))
    }
}
