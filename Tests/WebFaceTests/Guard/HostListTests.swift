import Testing

@testable import WebFace

struct HostListTests {
    private let hosts = HostList(["films.home", "192.168.0.7"])

    @Test(arguments: [
        "localhost", "LOCALHOST:9080", "127.0.0.1", "127.0.0.1:9080", "127.8.9.10:1", "[::1]", "[::1]:9080",
        "films.home", "Films.Home:443", "192.168.0.7:9080",
    ])
    func `names of this machine, and those that are listed, are known`(authority: String) {
        #expect(hosts.contains(authority))
    }

    @Test(arguments: [
        nil, "", ":9080", "evil.example", "evil.example:9080", "localhost.evil.example", "127.0.0.1.evil.example",
        "127.0.0.256", "192.168.0.8", "10.0.0.1:9080", "[::2]", "[::1", "[::1]x", "films.home:port", "films.home:",
        "films.home:99999", "user@localhost", "localhost/", "films.home.",
    ])
    func `every other one is not`(authority: String?) {
        #expect(!hosts.contains(authority))
    }
}

struct OriginCheckTests {
    @Test(
        arguments: [
            ("http://films.home", "films.home", nil), ("https://films.home", "films.home", "same-origin"),
            ("http://127.0.0.1:9080", "127.0.0.1:9080", "none"), ("HTTP://LocalHost:9080", "localhost:9080", nil),
        ] as [(String, String, String?)])
    func `the page's own origin may change something`(origin: String, authority: String, site: String?) {
        #expect(OriginCheck.allows(origin: origin, authority: authority, site: site))
    }

    @Test(
        arguments: [
            (nil, "films.home", nil), ("null", "films.home", nil), ("http://evil.example", "films.home", nil),
            ("http://films.home", nil, nil), ("http://films.home:80", "films.home:9080", nil),
            ("http://films.home.evil.example", "films.home", nil), ("ftp://films.home", "films.home", nil),
            ("http://films.home", "films.home", "cross-site"), ("http://films.home", "films.home", "same-site"),
        ] as [(String?, String?, String?)])
    func `every other origin may not`(origin: String?, authority: String?, site: String?) {
        #expect(!OriginCheck.allows(origin: origin, authority: authority, site: site))
    }
}
