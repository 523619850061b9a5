internal import AsyncHTTPClient
internal import NIOHTTP1

/// An answer whose head is here; its body may still be on the way.
struct DatabaseAnswer: Sendable {
    var response: HTTPClientResponse
    var proof: Proof

    var status: Int { Int(response.status.code) }
    var etag: String? { response.headers.first(name: "ETag") }
}
