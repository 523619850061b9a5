import SystemPackage
import TestSupport
import Testing

@testable import Daemon

@Suite(.inTurn, .timeLimit(.minutes(1))) struct BadSettingsTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var yaml: String
        var problems: [String]
        init(_ yaml: String, _ problems: String...) {
            self.yaml = yaml
            self.problems = problems
        }
        var testDescription: String { yaml }
    }

    @Test(arguments: keys + values + databases) func `a problem says where and what`(_ row: Row) async throws {
        #expect(try await SettingsFixture(yaml: row.yaml).load().problems == row.problems)
    }

    static let keys = [
        Row("remote:\n  urll: x", "F:2:3: unknown key remote.urll; did you mean remote.url?"),
        Row("stat: /x", "F:1:1: unknown key stat; did you mean state?"),
        Row("maxAhead: 60s", "F:1:1: unknown key maxAhead; did you mean clock.maxAhead?"),
        Row(
            "collections: {movis: {base: x}}", "F:1:15: unknown key collections.movis; did you mean collections.movies?"
        ),
        Row(
            "log.level: debug",
            "F:1:1: unknown key log.level: a dot stands for nesting; write log: and below it level:"),
        Row(
            "local.tls: {cert: x}",
            "F:1:1: unknown key local.tls: a dot stands for nesting; write local: and below it tls:"),
        Row(
            "local: {tls.cert: x}",
            "F:1:9: unknown key local.tls.cert: a dot stands for nesting; write local: and below it tls: and below it cert:"
        ),
        Row(
            "log.levl: debug", "F:1:1: unknown key log.levl: a dot stands for nesting; write log: and below it level:"),
        Row(
            "users.map: {a: b}",
            "F:1:1: unknown key users.map: a dot stands for nesting; write users: and below it map:"),
        Row("zz.qqqqqq: 1", "F:1:1: unknown key zz.qqqqqq"),
        Row("zzz: {a: {b: c}}", "F:1:1: unknown key zzz"),
        Row("log: debug", "F:1:6: log must have keys of its own, such as log.level"),
        Row("state: [a]", "F:1:8: state must be a single value, not a list"),
        Row("state: {a: b}", "F:1:8: state must be a single value, not keys of its own"),
        Row(
            "collections: {enabled: movies}", "F:1:24: collections.enabled must be a list of words, such as [movies]"),
        Row(
            "collections: {enabled: [{a: b}]}", "F:1:24: collections.enabled must be a list of words, such as [movies]"),
        Row("- a", #"F:1:1: the file must hold keys and values, such as "state: /var/lib/moviesync""#),
        Row("state: /x\nstate: /y", "F:1:1: state stands here more than once: keep one"),
        Row("log:\n  level: [", "F:3:1: bad YAML: while parsing a flow node, did not find expected node content"),
        Row("a: b: c", "F:1:5: bad YAML: mapping values are not allowed in this context"),
        Row("a: 1\n---\nb: 2", "F:2:1: bad YAML: expected a single document in the stream, but found another document"),
        Row("state: *x", "F:1:8: bad YAML: found undefined alias"),
        Row(
            "state: /x\njournal: /x/./changes.jsonl",
            "F:2:10: journal is /x/changes.jsonl, which the daemon makes itself: name another file"),
        Row(
            "state: /x\njournal: /x/state.sqlite-wal",
            "F:2:10: journal is /x/state.sqlite-wal, which the daemon makes itself: name another file"),
        Row(
            "journal: /x/y\nsocket: /x/y", "F:1:10: journal is /x/y, which the daemon makes itself: name another file"),
    ]

    static let values = [
        Row(
            "catalogs: {tmdb: {region: Germany}}",
            #"F:1:27: catalogs.tmdb.region is "Germany", but must be two letters, such as DE"#),
        Row(
            "catalogs: {tmdb: {language: d}}",
            #"F:1:29: catalogs.tmdb.language is "d", but must be a language such as en or de-AT"#),
        Row(
            "catalogs: {omdb: {url: ftp://x}}",
            #"F:1:24: catalogs.omdb.url is "ftp://x", but must be an address such as https://cache.example.org"#),
        Row(
            "catalogs: {omdb: {url: 'https://x/films?key=hidden'}}",
            #"F:1:24: catalogs.omdb.url is "https://x/films…", but must be an address such as https://cache.example.org"#
        ),
        Row(
            "remote: {accounts: {url: 'https://u:hidden@x/?key=hidden'}}",
            #"F:1:26: remote.accounts.url is "https://…@x/…", but must be an address such as http://127.0.0.1:9099"#),
        Row(
            "catalogs: {omdb: {url: 'https://u:p@x'}}",
            "F:1:24: catalogs.omdb.url is no address of a server: write https://HOST/PATH, without a user or a fragment"
        ),
        Row(
            "catalogs: {tmdb: {imageURL: 'https://u@x'}}",
            "F:1:29: catalogs.tmdb.imageURL is no address of a server: write https://HOST/PATH, without a user or a fragment"
        ),
        Row(
            "health: {heartbeat: {url: 'https://u:p@x/ping'}}",
            "F:1:27: health.heartbeat.url is no address of a server: write https://HOST/PATH, without a user or a fragment"
        ),
        Row(
            "health: {heartbeat: {url: 'http://127.0.0.1:99999/'}}",
            "F:1:27: health.heartbeat.url has a port that there is not: ports end at 65535"),
        Row(
            "catalogs: {omdb: {url: 'http://127.0.0.1:99999/'}}",
            "F:1:24: catalogs.omdb.url has a port that there is not: ports end at 65535"),
        Row(
            "catalogs: {tmdb: {imageURL: 'http://127.0.0.1:65536'}}",
            "F:1:29: catalogs.tmdb.imageURL has a port that there is not: ports end at 65535"),
        Row(
            "catalogs: {tmbd: {region: DE}}", "F:1:12: unknown key catalogs.tmbd; did you mean catalogs.tmdb?"),
        Row(
            "log: {level: debgu}",
            #"F:1:14: log.level is "debgu", but must be one of trace, debug, info, notice, warning, error, critical; did you mean debug?"#
        ),
        Row("log: {format: xml}", #"F:1:15: log.format is "xml", but must be one of auto, journald, text, json"#),
        Row(
            "clock: {maxAhead: 60}",
            #"F:1:19: clock.maxAhead is "60", but must be a whole number above 0 and a unit: 250ms, 60s, 10m, 2h, 90d"#),
        Row(
            "tombstones: {keep: 0d}",
            #"F:1:20: tombstones.keep is "0d", but must be a whole number above 0 and a unit: 250ms, 60s, 10m, 2h, 90d"#
        ),
        Row(
            "clock: {maxAhead: 99999999999999999999d}",
            #"F:1:19: clock.maxAhead is "99999999999999999999d", but must be a whole number above 0 and a unit: 250ms, 60s, 10m, 2h, 90d"#
        ),
        Row(
            "local: {listen: 9000}",
            #"F:1:17: local.listen is "9000", but must be host:port, such as 127.0.0.1:9000"#),
        Row(
            "local: {listen: '::1:9000'}",
            #"F:1:17: local.listen is "::1:9000", but must be host:port, such as 127.0.0.1:9000"#),
        Row("state: ~/x", "F:1:8: state starts with ~, which only a shell understands: write the whole path"),
        Row("journal: ''", "F:1:10: journal is empty: name a path, or leave the key out"),
        Row(
            "socket: /\(String(repeating: "x", count: 107))",
            "F:1:9: socket has 108 bytes, but a socket's path has at most 107: name a shorter one"),
        Row(
            "remote: {tls: {caFile: no.pem}}",
            "F:1:24: remote.tls.caFile names D/no.pem, which is not a readable file of PEM certificates"),
    ]

    static let databases = [
        Row(
            "remote: {plugin: firebase}", "F:1:18: remote.url is missing: firebase needs the address of the database"),
        Row(
            "remote: {url: 'https://x.example/movies'}",
            "F:1:15: remote.url must be the address of the database alone, such as https://my-project-default-rtdb.firebaseio.com"
        ),
        Row(
            "remote: {url: 'https://ann:secret@x.example'}",
            "F:1:15: remote.url must be the address of the database alone, such as https://my-project-default-rtdb.firebaseio.com"
        ),
        Row(
            "collections: {movies: {base: a.b}}",
            #"F:1:30: collections.movies.base is "a.b", but a path can't hold ".""#),
        Row(
            "collections: {movies: {base: /movies}}",
            #"F:1:30: collections.movies.base is "/movies": write a path without slashes at its ends, such as shared/movies"#
        ),
        Row(
            "collections: {movies: {pull: yes}}",
            #"F:1:30: collections.movies.pull is "yes", but must be one of full, incremental"#),
        Row(
            "collections: {movies: {base: a}, artists: {base: a/b}}",
            #"F:1:50: collections.artists.base is "a/b", which overlaps collections.movies.base "a": records of both would mix"#
        ),
        Row(
            "collections: {enabled: [movies], movies: {base: ''}}",
            "F:1:49: collections.movies.base is the root, where only records may stand: set remote.meta to none"),
        Row(
            "remote: {meta: movies/notes}",
            #"built-in defaults: collections.movies.base is "movies", which overlaps remote.meta "movies/notes": keep them apart"#
        ),
        Row(
            "collections: {enabled: [movies, film]}",
            #"F:1:24: collections.enabled names "film", but the collections are movies, artists, favourites, reviews, votes, profiles"#
        ),
        Row("collections: {enabled: [movies, movies]}", "F:1:24: collections.enabled names movies twice"),
        Row("collections: {enabled: []}", "F:1:24: collections.enabled names no collection"),
        Row(
            "remote: {credential: secret}", "F:1:22: remote.credentialFile is missing: secret needs it"),
        Row(
            "remote: {credential: secret, credentialFile: no}",
            "F:1:46: remote.credentialFile can't be used: cannot open D/no: No such file or directory"),
        Row(
            "remote: {writeGuard: rules}",
            "F:1:22: remote.writeGuard is rules, but the built-in hub has none: set local.rules, or use etag"),
        Row(
            "remote: {plugin: firebase, url: 'https://x.example', writeGuard: rules, credential: emulator}",
            "F:1:66: remote.writeGuard is rules, but rules do not bind this credential: use etag, or service-account"),
    ]

    @Test func `everything is said at once, in the order of the file`() async throws {
        let yaml = "log: {level: loud}\nremote:\n  plugin: x\n  urll: y\nzz: 1"
        let problems = try await SettingsFixture(
            yaml: yaml, environment: ["MOVIESYNC_CLOCK_MAX_AHEAD": "soon", "HOME": "/h"]
        )
        .load().problems
        #expect(
            problems.map { $0.prefix { $0 != " " } } == [
                "F:1:14:", "F:3:11:", "F:4:3:", "F:5:1:", "MOVIESYNC_CLOCK_MAX_AHEAD:",
            ])
    }

    @Test func `a secret that others may read is refused`() async throws {
        try await withTemporaryFolder { folder in
            try write("s3cret", to: folder.appending("key"), mode: 0o644)
            let problems = try await SettingsFixture(yaml: "remote: {credential: secret, credentialFile: key}")
                .load(in: folder).problems
            #expect(problems.count == 1)
            #expect(problems.first?.hasPrefix("F:1:46: remote.credentialFile can't be used: ") == true)
            #expect(problems.first?.contains("0644") == true)
            #expect(problems.first?.contains("s3cret") == false)
        }
    }

    @Test func `a service account must look like one`() async throws {
        try await withTemporaryFolder { folder in
            for (file, reason) in [
                ("{}", "client_email is missing"),
                (#"{"client_email":"a@b.test","private_key":"-----BEGIN"}"#, "private_key is no RSA key in PEM form"),
            ] {
                try write(file, to: folder.appending("key"))
                let problems = try await SettingsFixture(
                    yaml: "remote: {credential: service-account, credentialFile: key}"
                ).load(in: folder).problems
                let said = "the key of the service account is not usable: \(reason); download a new one"
                #expect(problems == ["F:1:55: remote.credentialFile names D/key: \(said)"])
            }
        }
    }

    @Test func `a credential is not sent in the clear`() async throws {
        try await withTemporaryFolder { folder in
            try write("s3cret", to: folder.appending("key"))
            let yaml = "remote: {plugin: firebase, url: 'http://x.example', credential: secret, credentialFile: key}"
            let problems = try await SettingsFixture(yaml: yaml).load(in: folder).problems
            #expect(problems == ["F:1:33: remote.url would send the credential in the clear: use https"])
        }
    }

    @Test func `a missing file is said by name`() async throws {
        let flags = SettingsFixtureFlags.config("nowhere.yaml")
        #expect(try await SettingsFixture(flags: flags).load().problems == ["D/nowhere.yaml: there is no such file"])
    }

    @Test func `without a home the state must be named`() async throws {
        let problems = try await SettingsFixture(environment: [:]).load().problems
        #expect(problems == ["built-in defaults: there is no place for the state: set state, --state or HOME"])
        let flags = SettingsFixtureFlags.state("/s")
        #expect(
            try await SettingsFixture(environment: [:], flags: flags).load().loaded?.settings.socket
                == "/s/control.sock")
    }
}
