import AsyncHTTPClient
import JSONText
import NIOCore
import NIOHTTP1
import SyncModel

@testable import DatabaseServer

/// Calls to the storage of pictures, over a real socket.
struct PictureClient: Sendable {
    struct Reply: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var bytes: [UInt8]

        /// The members of an answer in JSON; none where it is none.
        var members: [String: JSONValue] { (try? JSONReader.members(bytes)) ?? [:] }
        var refusal: String? { members["error"]?.members?["message"]?.text }
    }

    static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array(repeating: 7, count: 300)
    static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    let accounts: AccountClient

    /// - Parameters:
    ///   - place: what follows the bucket.
    ///   - token: an ID token, or nothing.
    func call(
        _ method: String, _ place: String, _ body: [UInt8]? = nil, token: JSONValue? = nil,
        _ headers: [String: String] = [:]
    ) async throws -> Reply {
        var request = HTTPClientRequest(url: accounts.http.base + "/v0/b/demo.appspot.com/" + place)
        request.method = HTTPMethod(rawValue: method)
        if let token = token?.text { request.headers.add(name: "Authorization", value: "Firebase \(token)") }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        if let body { request.body = .bytes(ByteBuffer(bytes: body)) }
        let response = try await accounts.http.http.execute(request, timeout: .seconds(30))
        let content = try await response.body.collect(upTo: 1 << 24)
        return Reply(
            status: Int(response.status.code), headers: response.headers, bytes: Array(content.readableBytesView))
    }

    /// A new user: the uid and an ID token.
    func person(_ name: String) async throws -> (uid: String, token: JSONValue) {
        let user = try await accounts.signUp("\(name)@b.c")
        return (user["localId"]?.text ?? "", user["idToken"] ?? .null)
    }

    /// As ``call(_:_:_:token:_:)``, of an administrator.
    func administer(_ method: String, _ place: String, _ body: [UInt8]? = nil) async throws -> Reply {
        try await call(method, place, body, AccountClient.admin)
    }
}

/// A server of accounts with its pictures, see ``withAccounts(data:emulator:options:logger:_:)``.
func withPictures<Result: Sendable>(
    data: String? = nil, emulator: Bool = false, options change: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (PictureClient) async throws -> Result
) async throws -> Result {
    try await withAccounts(data: data, emulator: emulator, options: change) {
        try await body(PictureClient(accounts: $0))
    }
}
