import FoundationEssentials
import SyncEngine
import TestSupport
import Testing

@testable import Daemon

struct UserSectionTests {
    @Test func `people are read from the file`() async throws {
        let yaml = """
            users:
              map: {1000: anna, 1001: "zL9"}
              tokens: {anna: anna.token, bob: /run/bob}
            """
        let loaded = try await SettingsFixture(yaml: yaml).load()
        #expect(loaded.problems == [])
        let users = try #require(loaded.loaded?.settings.users)
        #expect(users.people == [1000: "anna", 1001: "zL9"])
        #expect(users.tokens["anna"]?.hasSuffix("/anna.token") == true && users.tokens["bob"] == "/run/bob")
    }

    @Test(arguments: [
        ("users: x", "F:1:8: users must have keys of its own, such as users.map"),
        ("users: {mapp: {}}", "F:1:9: users.mapp is an unknown key; did you mean map?"),
        ("users: {map: anna}", "F:1:14: users.map must have keys of its own, such as 1000: anna"),
        ("users: {map: {anna: 1000}}", "F:1:15: users.map.anna is no user's number, such as 1000: see id -u"),
        ("users: {map: {1000: [a]}}", "F:1:21: users.map.1000 must be a word, as in 1000: anna"),
        (
            "users: {tokens: {a b: c}}",
            "F:1:18: users.tokens.a b is no name: use letters, digits, '.', '_' and '-', up to 64"
        ),
    ])
    func `a problem says where and what`(_ yaml: String, _ problem: String) async throws {
        #expect(try await SettingsFixture(yaml: yaml).load().problems == [problem])
    }
}
