import ControlAPI
import Crypto
import FoundationEssentials
import JSONText
import SyncModel
import SystemPackage
import TestSupport
import Testing

/// Webhooks under a whole daemon.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(2))) struct WebhookTests {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964F1"

    /// A node that tells `receiver` of its changes.
    private static func node(
        of site: Site, _ receiver: WebhookReceiver, more: String = "allowPrivate: true"
    ) async throws -> Node {
        let hub = try await site.hub()
        var settings = NodeSettings()
        let url = "http://localhost:\(receiver.port)/hook?a=b"
        settings.more = "webhooks: {home: {url: \"\(url)\", secretFile: secret, \(more)}}"
        let node = try await site.node("a", hub.url, settings, started: false)
        let secret = node.folder.appending("secret").string
        try Data("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n".utf8).write(to: URL(filePath: secret))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: secret)
        try await node.start()
        return node
    }

    @Test func `a server is told of each change, signed`() async throws {
        try await withSite { site in
            let receiver = try await WebhookReceiver(site)
            let node = try await Self.node(of: site, receiver)
            try node.append("create", Self.id, #"{"title":"Alien","hasWatched":false}"#)
            try node.append("delete", Self.id)
            try await node.until("two events") { $0.hooks?.first?.delivered == 2 }
            let (first, last) = (try #require(receiver.heard.first), try #require(receiver.heard.last))
            let key = SymmetricKey(data: try #require(Data(base64Encoded: "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")))
            for heard in [first, last] {
                let id = try #require(heard.headers["webhook-id"])
                let time = try #require(heard.headers["webhook-timestamp"])
                let signed = Data("\(id).\(time).".utf8) + heard.body
                let code = Data(HMAC<SHA256>.authenticationCode(for: signed, using: key)).base64EncodedString()
                #expect(heard.headers["webhook-signature"] == "v1,\(code)")
            }
            #expect(first.headers["host"] == "localhost:\(receiver.port)")
            #expect(first.headers["webhook-id"] != last.headers["webhook-id"])
            let body = try JSONReader.members(last.body)
            #expect(body["type"] == "movies.delete")
            #expect(body["data"]?.members?["before"] == ["title": "Alien", "hasWatched": false])
        }
    }

    @Test func `a redirect is not followed, and 410 switches it off until a person wants it`() async throws {
        try await withSite { site in
            let receiver = try await WebhookReceiver(site)
            let node = try await Self.node(of: site, receiver)
            receiver.answer(302, location: "http://localhost:\(receiver.port)/elsewhere")
            try node.append("create", Self.id, #"{"title":"Alien","hasWatched":false}"#)
            let waiting = try await node.until("the failure") { $0.hooks?.first?.state == .waiting }
            #expect(waiting.hooks?.first?.reason == "localhost answers 302, and redirects are not followed")
            receiver.answer(410)
            #expect(try await node.tool(["hook", "retry", "home"]).code == 0)
            try await node.until("off") { $0.hooks?.first?.state == .off }
            try await node.stop()
            receiver.answer(200)
            try await node.start()
            #expect(try await node.status().hooks?.first?.state == .off)
            #expect(try await node.tool(["hook", "retry", "webhook:home"]).code == 0)
            try await node.until("the event") { $0.hooks?.first?.delivered == 1 }
        }
    }

    @Test func `a secret that can't be read is named at once, not the server, until it can be`() async throws {
        try await withSite { site in
            let receiver = try await WebhookReceiver(site)
            let node = try await Self.node(of: site, receiver)
            let (secret, elsewhere) = (node.folder.appending("secret").string, node.folder.appending("away").string)
            try FileManager.default.moveItem(atPath: secret, toPath: elsewhere)
            let status = try await node.status()
            let reason = try #require(status.hooks?.first?.reason)
            #expect(reason.hasPrefix("its secret can't be read: cannot open \(node.folder)"), "\(reason)")
            #expect(status.hooks?.first?.state == .refused)
            #expect(status.health?.reasons.contains { $0.hasPrefix("the hook home can't be used: its secret") } == true)
            try node.append("create", Self.id, #"{"title":"Alien","hasWatched":false}"#)
            try await node.until("the failure") { $0.hooks?.first?.attempts ?? 0 > 0 }
            #expect(receiver.heard.isEmpty)
            try FileManager.default.moveItem(atPath: elsewhere, toPath: secret)
            #expect(try await node.tool(["hook", "retry", "home"]).code == 0)
            try await node.until("the event") { $0.hooks?.first?.delivered == 1 }
        }
    }

    @Test func `an address that is not public is refused unless that is meant`() async throws {
        try await withSite { site in
            let receiver = try await WebhookReceiver(site)
            let node = try await Self.node(of: site, receiver, more: "allowPrivate: false")
            try node.append("create", Self.id, #"{"title":"Alien","hasWatched":false}"#)
            let status = try await node.until("the failure") { $0.hooks?.first?.state == .waiting }
            #expect(status.hooks?.first?.reason?.contains("which is no public address: set allowPrivate") == true)
            #expect(receiver.heard.isEmpty)
        }
    }
}
