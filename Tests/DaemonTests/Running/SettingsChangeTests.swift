import PluginKit
import SyncModel
import SystemPackage
import TestSupport
import Testing

@testable import Daemon

/// What a reload puts in force, and what it leaves for a restart.
@Suite struct SettingsChangeTests {
    /// The change from one text of the configuration to another; `secret` is what the file of the credential has then.
    private func change(_ old: String, _ new: String, secret: String = "first-secret-of-many") async throws
        -> SettingsChange
    {
        try await withTemporaryFolder { folder in
            let file = folder.appending("moviesync.yaml")
            let source = SettingsSource(
                flags: SettingsFlags(config: file.string), environment: ["HOME": "/h"], plugins: try .builtIn(),
                workingDirectory: folder, userID: 1000)
            try write(#"{"rules":{}}"#, to: folder.appending("rules.json"))
            try write("first-secret-of-many", to: folder.appending("secret"), mode: 0o600)
            try write(old, to: file)
            let before = try await source.load()
            try write(secret, to: folder.appending("secret"), mode: 0o600)
            try write(new, to: file)
            let after = try await source.load()
            return SettingsChange(from: before.settings, to: after.settings, after.declarations)
        }
    }

    private static let firebase =
        "remote: {plugin: firebase, url: 'http://127.0.0.1:1', credential: secret, credentialFile: secret}"

    @Test func `another address and another credential are a new session`() async throws {
        let found = try await change(
            Self.firebase, Self.firebase.replacing("http://127.0.0.1:1", with: "http://127.0.0.1:2"), secret: "second")
        #expect(found.live == ["remote.url", "remote.credentialFile"])
        #expect(found.needsRestart == [] && found.changesSession)
        let same = try await change(Self.firebase, Self.firebase)
        #expect(same.live == [] && !same.changesSession)
    }

    @Test func `another kind of remote needs a restart, and so does all that belongs to it`() async throws {
        let found = try await change("clock: {maxAhead: 5s}", Self.firebase + "\ncollections: {enabled: [movies]}")
        #expect(found.live == ["clock.maxAhead"])
        #expect(
            found.needsRestart == [
                "collections.enabled", "remote.plugin", "remote.url", "remote.credential", "remote.credentialFile",
            ])
        #expect(!found.changesSession)
        #expect(found.applied.collections.map(\.id.name) == ["movies", "artists"])
    }

    @Test func `a guard by rules waits for the rules`() async throws {
        let found = try await change("", "remote: {writeGuard: rules}\nlocal: {rules: rules.json}")
        #expect(found.live == [])
        #expect(found.needsRestart == ["remote.writeGuard", "local"])
    }

    @Test func `a file of the built-in hub that was renewed is told`() async throws {
        let found = try await change(
            "local: {secret: secret}", "local: {secret: secret}", secret: "second-secret-of-many")
        #expect(found.needsRestart == ["local"])
        #expect(found.live == [])
    }

    @Test func `of a collection that comes or goes the list says enough`() async throws {
        let found = try await change("", "collections: {enabled: [movies, reviews], movies: {pull: incremental}}")
        #expect(found.live == ["collections.enabled", "collections.movies.pull"])
        #expect(found.applied.collections.map(\.id.name) == ["movies", "reviews"])
        #expect(found.changesSession)
    }
}
