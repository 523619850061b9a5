import ControlAPI
import ControlTestSupport
import SyncModel
import TestSupport
import Testing

/// The pictures of people over the control socket.
@Suite(.inTurn, .timeLimit(.minutes(1))) struct PictureRouteTests {
    private static func profile(photo: JSONValue?) -> FakeControlService.State {
        var state = FakeControlService.State()
        var profile = FakeControlService.alien
        profile.collection = "profiles"
        profile.fields = ["uid": "anna", "name": "Anna"]
        if let photo { profile.fields["photo"] = photo }
        state.records = [profile]
        return state
    }

    private func post(_ path: String, _ count: Int, at socket: String) async throws -> RawReply {
        let body = String(repeating: "x", count: count)
        return try await exchange(
            "POST \(path) HTTP/1.1\r\nHost: m\r\nConnection: close\r\nContent-Length: \(count)\r\n\r\n\(body)",
            at: socket)
    }

    @Test func `a picture is stored by its person, up to 5 MiB`() async throws {
        let artwork = FakeArtwork()
        try await withServedSocket(FakeControlService(), artwork: artwork) { socket in
            let reply = try await post("/v1/profiles/an%2Fna/picture", ControlRoute.maxPicture, at: socket)
            #expect(reply.status == 200 && reply.body == "{\"photo\":\"address:an/na\"}\n")
            #expect(artwork.stored["an/na"]?.count == ControlRoute.maxPicture)
            let large = try await post("/v1/profiles/anna/picture", ControlRoute.maxPicture + 1, at: socket)
            #expect(large.status == 413 && large.body.contains("5242880"))
            #expect(artwork.stored["anna"] == nil)
        }
        try await withServedSocket(FakeControlService(), artwork: artwork, allowedUIDs: [4_294_967_294]) { socket in
            let reply = try await post("/v1/profiles/anna/picture", 10, at: socket)
            #expect(reply.status == 403)
            #expect(try await ask("DELETE", "/v1/profiles/an%2Fna/picture", at: socket).status == 403)
            #expect(artwork.stored.count == 1)
            #expect(artwork.stored["anna"] == nil)
        }
    }

    @Test(arguments: [("50%25", "50%"), ("a%2525b", "a%25b"), ("%2561nna", "%61nna")])
    func `the name of a person is decoded once`(_ part: String, _ person: String) async throws {
        let artwork = FakeArtwork()
        try await withServedSocket(FakeControlService(), artwork: artwork) { socket in
            let reply = try await post("/v1/profiles/\(part)/picture", 9, at: socket)
            #expect(reply.status == 200)
            #expect(artwork.stored[person]?.count == 9)
            #expect(try await ask("DELETE", "/v1/profiles/%zz/picture", at: socket).status == 400)
        }
    }

    @Test func `a picture is removed`() async throws {
        let artwork = FakeArtwork()
        try await withServedSocket(FakeControlService(), artwork: artwork) { socket in
            _ = try await post("/v1/profiles/an%2Fna/picture", 9, at: socket)
            let reply = try await ask("DELETE", "/v1/profiles/an%2Fna/picture", at: socket)
            #expect(reply.status == 200 && artwork.stored.isEmpty)
        }
    }

    @Test func `a profile's picture is shown, and where there is none that is said`() async throws {
        let path = "/v1/profiles/anna/picture"
        try await withServedSocket(
            FakeControlService(Self.profile(photo: "address:1")), artwork: FakeArtwork(), allowedUIDs: []
        ) { socket in
            let reply = try await ask("GET", path + "?width=64", at: socket)
            #expect(reply.status == 200 && reply.body == "address:1 64")
            #expect(reply.head.contains("no-cache") && reply.head.contains("image/jpeg"))
            let tag = "If-None-Match: \"address:1-64\"\r\n"
            #expect(try await ask("GET", path + "?width=64", at: socket, headers: tag).status == 304)
            #expect(try await ask("GET", path + "?width=0", at: socket).status == 400)
        }
        for photo in [nil, "https://elsewhere.example/a.jpg", 7] as [JSONValue?] {
            try await withServedSocket(
                FakeControlService(Self.profile(photo: photo)), artwork: FakeArtwork()
            ) { socket in
                let reply = try await ask("GET", path, at: socket)
                #expect(reply.status == 404 && reply.body.contains("noPicture"))
            }
        }
    }
}
