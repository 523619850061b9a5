import SyncModel
import TestSupport
import Testing

/// What `--wait` says of an edit, with a daemon and a hub.
@Suite(.serialized, .inTurn, .timeLimit(.minutes(1))) struct EditTests {
    private static func id(_ number: Int) -> String { "6F9619FF-8B86-4011-B42D-0000000\(10_000 + number)" }

    @Test func `waiting ends at once where a person has to do something`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url)
            for number in 1...12 { try node.append("create", Self.id(number), #"{"title":"Film"}"#) }
            try await node.settled()
            let wrong = try await node.tool(["set", Self.id(1), "year=soon", "--wait=3000"])
            #expect(wrong.code == 65 && wrong.errors.contains("as item 1: invalidValue"), "\(wrong.errors)")
            let new = try await node.tool(["add", "Emma", "--field", "year=soon", "--wait=3000"])
            #expect(new.code == 65 && new.errors.contains("as item 2"), "\(new.errors)")
            let deletes = try await node.tool(["rm"] + (2...10).map(Self.id) + ["--wait=3000"])
            #expect(deletes.code == 77 && deletes.errors.contains("hold 1 keeps it"), "\(deletes.errors)")
            let behind = try await node.tool(["watched", Self.id(2), "--wait=3000"])
            #expect(behind.code == 77 && behind.errors.contains("approve 1"), "\(behind.errors)")
            #expect(try await node.tool(["watched", Self.id(11), "--wait=3000"]).code == 0)
            #expect(try await node.tool(["rm", Self.id(12), "--wait=3000"]).code == 0)
            let deleted = try await node.tool(["watched", Self.id(12), "--wait=3000"])
            #expect(deleted.code == 66 && deleted.errors.contains("is deleted"), "\(deleted.errors)")
            #expect(try await node.tool(["reject", "1"]).code == 0)
            #expect(try await node.tool(["watched", Self.id(2), "--wait=3000"]).code == 0)
        }
    }

    @Test func `an edit that goes to quarantine at once fails, also where nobody waits for the remote`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let node = try await site.node("a", hub.url)
            try node.append("create", Self.id(1), #"{"title":"Film"}"#)
            try await node.settled()
            let wrong = try await node.tool(["set", Self.id(1), "year=soon"])
            #expect(wrong.code == 65 && wrong.errors.contains("as item 1: invalidValue"), "\(wrong.errors)")
            #expect(try await node.tool(["set", Self.id(1), "year=1979"]).code == 0)
        }
    }

    @Test func `who waits for a remote that does not answer is told so`() async throws {
        try await withSite { site in
            let hub = try await site.hub()
            let proxy = try await site.proxy(to: hub)
            let node = try await site.node("a", proxy.url)
            try await node.settled()
            proxy.behave { $0.isWrite ? .silent : .pass }
            try node.append("create", Self.id(1), #"{"title":"Film"}"#)
            try await proxy.until("the film is written") { $0.isWrite }
            let synced = try await node.tool(["sync", "--wait=3"])
            let said = synced.output + synced.errors
            #expect(synced.code == 75 && said.contains("the remote has not answered a request for"), "\(said)")
        }
    }
}
