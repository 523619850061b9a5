internal import AsyncHTTPClient
internal import FoundationEssentials
internal import HTTPCalling
internal import JSONText
internal import NIOCore
internal import NIOHTTP1
internal import PluginKit
internal import SyncModel

/// The storage of pictures beside a Firebase database, or of a hub.
struct StoredPictures: RemotePictures {
    let storage: StoragePlace
    let credentials: Credentials
    let http: HTTPClient
    let meter: TrafficMeter
    /// Until an answer begins, and for all of it beside what its length allows.
    let patience: Duration

    /// The same storage, as somebody else reaches it.
    func acting(with credentials: Credentials) -> StoredPictures {
        StoredPictures(storage: storage, credentials: credentials, http: http, meter: meter, patience: patience)
    }

    func store(_ jpeg: [UInt8], of person: String) async throws -> String {
        let name = StoragePlace.name(of: person)
        var request = HTTPClientRequest(url: storage.upload(name))
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "image/jpeg")
        request.body = .bytes(ByteBuffer(bytes: jpeg))
        let said = try await changed(by: request, bytes: jpeg.count)
        // There may be several, of which each will do.
        let token = (try? JSONReader.members(said))?["downloadTokens"]?.text?.split(separator: ",").first
        guard let token else {
            throw RemoteError(.outcomeUnknown, "\(storage.origin) does not say where the picture can be seen")
        }
        return storage.download(name, token: String(token))
    }

    func remove(of person: String) async throws {
        var request = HTTPClientRequest(url: storage.metadata(StoragePlace.name(of: person)))
        request.method = .DELETE
        _ = try await changed(by: request, bytes: 0, passing: .notFound)
    }

    func place(of address: String) -> String? { storage.own(address) }

    func fetch(_ place: String, _ take: ([UInt8]) throws -> Void) async throws -> Bool {
        // Without a credential: who has the address may see the picture, and nobody else.
        let response = try await answer(to: HTTPClientRequest(url: place), bytes: 0)
        if [401, 403, 404, 410].contains(response.status.code) { return false }
        guard response.status == .ok else { throw failure(of: response, try await words(of: response), nil) }
        var pieces = response.body.makeAsyncIterator()
        var pace = BodyPace(patience)
        while let piece = try await next(&pieces, &pace) {
            meter.received(bytes: piece.readableBytes)
            try take(Array(piece.readableBytesView))
        }
        return true
    }

    /// Sends a request that only some may; the body of the answer.
    ///
    /// - Parameter status: is as good as success, where a storage says it.
    private func changed(
        by request: HTTPClientRequest, bytes: Int, passing status: HTTPResponseStatus = .ok
    ) async throws -> [UInt8] {
        try await credentials.proven { try await changed(by: request, $0, bytes: bytes, passing: status) }
    }

    private func changed(
        by request: HTTPClientRequest, _ proof: Proof, bytes: Int, passing status: HTTPResponseStatus
    ) async throws -> [UInt8] {
        var request = request
        let authorization = credentials.storageAuthorization(proof)
        if let authorization { request.headers.add(name: "Authorization", value: authorization) }
        let response = try await answer(to: request, bytes: bytes)
        let body = try await words(of: response)
        let isDone = [.ok, .noContent].contains(response.status) || response.status == status && said(in: body) != nil
        guard isDone else { throw failure(of: response, body, authorization) }
        return body
    }

    private func next(
        _ pieces: inout HTTPClientResponse.Body.AsyncIterator, _ pace: inout BodyPace
    ) async throws -> ByteBuffer? {
        do {
            let piece = try await pieces.next()
            try pace.took(piece?.readableBytes ?? 0)
            return piece
        } catch {
            throw RemoteError.transport(error, at: storage.origin)
        }
    }

    private func answer(to request: HTTPClientRequest, bytes: Int) async throws -> HTTPClientResponse {
        meter.requestSent(bytes: bytes)
        do {
            return try await http.execute(request, deadline: .now() + TimeAmount(patience))
        } catch {
            throw await RemoteError.unanswered(error, from: storage.origin, at: storage.origin)
        }
    }

    private func words(of response: HTTPClientResponse) async throws -> [UInt8] {
        do {
            let text = try await response.body.collect(upTo: 1 << 20, within: patience)
            meter.received(bytes: text.readableBytes)
            return Array(text.readableBytesView)
        } catch {
            throw RemoteError.transport(error, at: storage.origin)
        }
    }

    /// Why a storage refuses; nil where the answer is none of a storage.
    private func said(in body: [UInt8]) -> String? {
        (try? JSONReader.members(body))?["error"]?.members?["message"]?.text
    }

    private func failure(of response: HTTPClientResponse, _ body: [UInt8], _ authorization: String?) -> RemoteError {
        guard let said = said(in: body) else {
            // What is no answer of a storage comes from a server that has none.
            guard response.status == .notFound else {
                return .status(Int(response.status.code), response.headers, words: "", at: storage.origin)
            }
            return RemoteError(
                .refused, "\(storage.origin) keeps no pictures: a hub does with --accounts (local.accounts)")
        }
        let secret = authorization.flatMap { $0.split(separator: " ").last }
        let words = secret.map { said.replacing($0, with: "…") } ?? said
        return .status(Int(response.status.code), response.headers, words: words, at: storage.origin)
    }
}
