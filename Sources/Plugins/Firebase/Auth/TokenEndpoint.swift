internal import AsyncHTTPClient
internal import FoundationEssentials
internal import HTTPCalling
internal import JSONText
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import PluginKit
internal import SyncModel

/// Asks a service account's token endpoint for access tokens.
struct TokenEndpoint: Sendable {
    let account: ServiceAccount
    let http: HTTPClient
    let timeouts: FirebaseSettings.Timeouts
    let meter: TrafficMeter
    let logger: Logger

    /// A new token.
    ///
    /// - Throws: ``RemoteError``: `unauthorized` where the account is not accepted, else why no answer came. Nothing was
    ///   written to the database.
    func token() async throws -> AccessToken {
        let form = try await account.tokenRequest(now: Int(Date.now.timeIntervalSince1970))
        var request = HTTPClientRequest(url: account.tokenURL)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: form))
        meter.requestSent(bytes: form.utf8.count)
        let obtained = ContinuousClock.now
        do {
            let response = try await http.execute(request, deadline: .now() + TimeAmount(timeouts.request))
            let body = try await response.body.collect(upTo: 1 << 20, within: timeouts.request)
            meter.received(bytes: body.readableBytes)
            return try token(
                status: Int(response.status.code), text: Array(body.readableBytesView), obtained: obtained,
                askedWith: form)
        } catch {
            throw unsent(await RemoteError.unanswered(error, from: account.tokenURL, at: account.tokenURL))
        }
    }

    private func token(
        status: Int, text: [UInt8], obtained: ContinuousClock.Instant, askedWith form: String
    ) throws(RemoteError) -> AccessToken {
        let answer = (try? JSONReader.members(text)) ?? [:]
        guard status == 200, let token = answer["access_token"]?.text, !token.isEmpty else {
            let assertion = String(form.split(separator: "=").last ?? "")
            let words = [answer["error"], answer["error_description"]].compactMap { $0?.text?.without([assertion]) }
            let message = RemoteError.oneLine(
                "no access token: \(account.tokenURL) answered \(status) "
                    + words.joined(separator: ": "))
            throw RemoteError([400, 401, 403].contains(status) ? .unauthorized : .unavailable, message)
        }
        let lifetime = AccessToken.life(seconds: answer["expires_in"]?.whole)
        logger.debug("A new access token is here.", metadata: ["event": "credential.obtained"])
        let expires = obtained + lifetime
        return AccessToken(
            text: token, obtained: obtained, renewal: expires - min(timeouts.renewal, lifetime / 2), expires: expires)
    }

    /// Whatever became of the request for a token, the request that needed it was not sent.
    private func unsent(_ error: any Error) -> any Error {
        guard var error = error as? RemoteError, error.code == .outcomeUnknown else { return error }
        error.code = .unreachable
        return error
    }
}
