internal import NIOCore
internal import NIOHTTP1

/// One request to the database, before it is known who sends it and where it ends up.
struct DatabaseRequest: Sendable {
    var method: HTTPMethod = .GET
    /// The place in the database.
    var path: String
    var query: [DatabaseLocation.QueryItem] = []
    var headers: HTTPHeaders = [:]
    var body: ByteBuffer?
}
