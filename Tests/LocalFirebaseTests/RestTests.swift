import Testing

@testable import LocalFirebase

@Suite(.timeLimit(.minutes(1)))
struct RestTests {
    @Test func `what is put is read back`() async throws {
        try await withServer { client in
            let put = try await client.send("PUT", "/movies/A.json", #"{"title":"Alien","hasWatched":false}"#)
            #expect(put.status == 200)
            #expect(put.body == #"{"hasWatched":false,"title":"Alien"}"#)
            #expect(try await client.get("/movies/A/title.json") == #""Alien""#)
            #expect(try await client.get("/.json") == #"{"movies":{"A":{"hasWatched":false,"title":"Alien"}}}"#)
        }
    }

    @Test func `a listener gets a snapshot and then every change`() async throws {
        try await withServer { client in
            _ = try await client.send("PUT", "/movies/A.json", #"{"title":"Alien"}"#)
            try await client.listen("/movies.json") { frames in
                #expect(try await frames.next() == #"put {"path":"/","data":{"A":{"title":"Alien"}}}"#)
                _ = try await client.send("PUT", "/movies/B.json", #"{"title":"Brazil"}"#)
                #expect(try await frames.next() == #"put {"path":"/B","data":{"title":"Brazil"}}"#)
            }
        }
    }
}
