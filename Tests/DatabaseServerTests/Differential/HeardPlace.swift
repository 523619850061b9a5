import AsyncHTTPClient
import JSONText
import NIOCore
import NIOHTTP1
import SyncModel

@testable import FirebaseWire

/// A listener that knows of its place only what it was told.
struct HeardPlace {
    let path: [String]
    let database: String
    let query: ModelQuery?
    private(set) var heard = ModelTree()
    private(set) var last: [String] = []
    private var frames: Frames

    /// Connects, and hears the snapshot.
    init(_ client: TestClient, _ database: String, _ path: [String], _ query: ModelQuery?)
        async throws
    {
        (self.path, self.database, self.query) = (path, database, query)
        let sign = query == nil ? "?" : "&"
        let place = URLPath.resource(path.joined(separator: "/")) + (query?.description ?? "") + "\(sign)ns=\(database)"
        var request = HTTPClientRequest(url: client.base + place)
        request.headers.add(name: "Accept", value: "text/event-stream")
        frames = Frames(response: try await client.http.execute(request, deadline: .distantFuture))
        try await hear()
    }

    /// What a query lets see of `tree`, or all of it.
    func view(_ tree: ModelTree) -> ModelTree {
        let here = tree[path[...]]
        return query?.selected(here) ?? here
    }

    /// Takes in one event, which may be that the stream is kept alive. Throws where the stream has ended, or the event is none.
    mutating func hear() async throws {
        guard let frame = try await frames.next() else { throw Differs(description: "the stream has ended") }
        let (event, text) = (frame.prefix { $0 != " " }, frame.drop { $0 != " " }.dropFirst())
        if event == "keep-alive" { return }
        last = last.suffix(5) + [frame]
        let told = try JSONReader.members(Array(text.utf8))
        guard let place = told["path"]?.text, let data = told["data"] else {
            throw Differs(description: "odd: \(frame)")
        }
        let base = place.split(separator: "/").map(String.init)
        switch event {
        case "put": heard.set(base[...], to: ModelTree(data))
        case "patch":
            for (key, value) in data.members ?? [:] {
                heard.set((base + key.split(separator: "/").map(String.init))[...], to: ModelTree(value))
            }
        default: throw Differs(description: "unknown event \(frame)")
        }
    }
}

/// Where server and model differ.
struct Differs: Error, CustomStringConvertible {
    var description: String
}
