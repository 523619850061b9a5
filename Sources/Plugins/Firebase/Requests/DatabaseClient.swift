internal import AsyncHTTPClient
internal import HTTPCalling
internal import JSONText
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import PluginKit
internal import SyncModel

/// Sends requests: adds the credential, follows redirects by hand, renews a credential that was not accepted.
struct DatabaseClient: Sendable {
    private static let redirectLimit = 5
    private static let bodyLimit = 256 << 20
    /// So many bytes of an error's body are looked at, and so many characters of them shown.
    private static let wordsLimit = (read: 64 << 10, shown: 300)

    let location: DatabaseLocation
    let credentials: Credentials
    let meter: TrafficMeter
    /// What a body may take beside what its length allows.
    let patience: Duration
    let logger: Logger

    /// Sends `request` and waits for the head of the answer, which is a redirect or 401 never.
    ///
    /// - Throws: ``RemoteError``, or `CancellationError`.
    func answer(
        to request: DatabaseRequest, over http: HTTPClient, deadline: NIODeadline
    ) async throws -> DatabaseAnswer {
        try await credentials.proven(renewingAfter: [.unauthorized, .denied]) { proof in
            let answer = try await followed(request, proof, over: http, deadline: deadline)
            if answer.status == 401 { throw try await failure(of: answer) }
            return answer
        } whenRenewed: {
            logger.info("The credential was renewed after a refusal.", metadata: ["event": "credential.renewed"])
        }
    }

    /// The whole body of an answer.
    func body(of answer: DatabaseAnswer) async throws -> [UInt8] {
        do {
            let buffer = try await answer.response.body.collect(upTo: Self.bodyLimit, within: patience)
            meter.received(bytes: buffer.readableBytes)
            return Array(buffer.readableBytesView)
        } catch {
            throw RemoteError.transport(error, at: location.origin)
        }
    }

    /// What an answer that is no success means.
    func failure(of answer: DatabaseAnswer) async throws -> RemoteError {
        let words = try await words(of: answer)
        return RemoteError.status(answer.status, answer.response.headers, words: words, at: location.origin)
    }

    /// The server's own words in an error's body, without secrets: its `error` field, else the beginning of its text.
    private func words(of answer: DatabaseAnswer) async throws -> String {
        let text = try await body(of: answer)
        guard let said = (try? JSONReader.members(text))?["error"]?.text else { return beginning(of: text, answer) }
        return credentials.redacted(said, answer.proof)
    }

    /// The beginning of a body, without secrets.
    func beginning(of text: [UInt8], _ answer: DatabaseAnswer) -> String {
        let text = String(decoding: text.prefix(Self.wordsLimit.read), as: UTF8.self)
        return String(credentials.redacted(text, answer.proof).prefix(Self.wordsLimit.shown))
    }

    private func followed(
        _ request: DatabaseRequest, _ proof: Proof, over http: HTTPClient, deadline: NIODeadline
    ) async throws -> DatabaseAnswer {
        var url = location.url(request.path, request.query + proof.query)
        for _ in 0...Self.redirectLimit {
            let response = try await performed(request, at: url, proof, over: http, deadline: deadline)
            let answer = DatabaseAnswer(response: response, proof: proof)
            guard response.status.code == 307 || response.status.code == 308 else { return answer }
            _ = try await body(of: answer)
            guard let target = response.headers.first(name: "Location") else {
                throw RemoteError(.unreachable, "\(location.origin) answered with a redirect to nowhere")
            }
            let query = request.query + proof.query
            url = try RedirectTarget.url(target, from: url, adding: query, isSecret: credentials.isSecret)
        }
        throw RemoteError(.unreachable, "\(location.origin) answered with more than \(Self.redirectLimit) redirects")
    }

    private func performed(
        _ request: DatabaseRequest, at url: String, _ proof: Proof, over http: HTTPClient, deadline: NIODeadline
    ) async throws -> HTTPClientResponse {
        var message = HTTPClientRequest(url: url)
        message.method = request.method
        message.headers = request.headers
        if let authorization = proof.authorization { message.headers.add(name: "Authorization", value: authorization) }
        if let body = request.body {
            message.headers.add(name: "Content-Type", value: "application/json")
            message.body = .bytes(body)
        }
        let sent = TrafficMeter.now()
        meter.requestSent(bytes: request.body?.readableBytes ?? 0)
        do {
            let response = try await http.execute(message, deadline: deadline)
            meter.answered(date: response.headers.first(name: "Date"), sent: sent)
            return response
        } catch {
            throw await RemoteError.unanswered(error, from: url, at: location.origin)
        }
    }
}
