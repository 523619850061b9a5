internal import AsyncHTTPClient
internal import FoundationEssentials
internal import HTTPCalling
internal import HookRules
internal import JSONText
internal import NIOCore
internal import NIOHTTP1
internal import OperatingSystem
internal import SyncModel

/// Tells a server of one event: a signed request, as Standard Webhooks has it.
struct WebhookRequest: Sendable {
    let webhook: HookSettings.Webhook
    let context: HookContext

    /// How much of an answer is read.
    private static let mostAnswer = 64 << 10

    func send(_ event: HookEvent) async -> HookOutcome {
        do {
            let signature = try context.signature(of: webhook)
            let outcome = try await withTimeout(context.limit) {
                let (first, others) = try NetworkAddress.admitted(
                    try await addresses(), allowPrivate: webhook.allowsPrivate)
                return try await post(event, signature, toOneOf: first, others)
            }
            return outcome ?? .failed("\(webhook.host) can't be reached: it does not answer in time")
        } catch let fault as WebhookSecretFault {
            return .failed(fault.reason)
        } catch let refusal as NetworkAddress.Refusal {
            return .failed(words(for: refusal))
        } catch {
            return .failed("\(webhook.host) can't be reached: \(CallFault.words(for: error) ?? "\(error)")".oneLine)
        }
    }

    /// The addresses of the host, asked for once, so that the name can't mean another one when it is connected to.
    private func addresses() async throws -> [[UInt8]] {
        let (host, find) = (webhook.host, context.addresses)
        return try await HostAddresses.found { try find(host) }
    }

    private func words(for refusal: NetworkAddress.Refusal) -> String {
        switch refusal {
        case .hasNone: "\(webhook.host) has no address"
        case .isPrivate(let closed):
            "\(webhook.host) is \(closed.text), which is no public address: set allowPrivate where that is meant"
        }
    }

    /// Tries one address after the other: the server need not listen at all of them.
    private func post(
        _ event: HookEvent, _ signature: WebhookSignature, toOneOf first: NetworkAddress, _ others: [NetworkAddress]
    ) async throws -> HookOutcome {
        var address = first
        for other in others {
            if let outcome = try? await post(event, signature, to: address) { return outcome }
            try Task.checkCancellation()
            address = other
        }
        return try await post(event, signature, to: address)
    }

    private func post(
        _ event: HookEvent, _ signature: WebhookSignature, to address: NetworkAddress
    ) async throws -> HookOutcome {
        var configuration = HTTPClient.Configuration.calling
        configuration.timeout.connect = .seconds(10)
        configuration.dnsOverride = [webhook.host: address.text]
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let outcome = try await exchange(event, signature, client)
            try? await client.shutdown()
            return outcome
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private func exchange(
        _ event: HookEvent, _ signature: WebhookSignature, _ client: HTTPClient
    ) async throws -> HookOutcome {
        let seconds = context.wall() / 1_000
        let body = body(of: event)
        var request = HTTPClientRequest(url: webhook.url)
        request.method = .POST
        request.headers = [
            "content-type": "application/json", "user-agent": "moviesync", "webhook-id": event.delivery,
            "webhook-timestamp": String(seconds),
            "webhook-signature": signature.header(id: event.delivery, seconds: seconds, body: body),
        ]
        request.body = .bytes(ByteBuffer(bytes: body))
        let response = try await client.execute(request, timeout: TimeAmount(context.limit))
        var read = 0
        for try await chunk in response.body {
            read += chunk.readableBytes
            if read > WebhookRequest.mostAnswer { break }
        }
        return outcome(of: response)
    }

    /// The event as the payload that Standard Webhooks recommends.
    private func body(of event: HookEvent) -> [UInt8] {
        let at = event.at ?? context.wall()
        let type = event.collection.map { "\($0).\(event.word)" } ?? event.word
        return JSONWriter.text([
            "type": .string(type), "timestamp": .string(RFC3339.text(at)), "data": .object(event.members),
        ])
    }

    private func outcome(of response: HTTPClientResponse) -> HookOutcome {
        switch response.status.code {
        case 200..<300: return .taken
        case 410: return .off("\(webhook.host) wants no events any more (410)")
        case 300..<400:
            return .failed("\(webhook.host) answers \(response.status.code), and redirects are not followed")
        default:
            let wait = response.headers.retryAfter().map { $0 / .seconds(1) }
            return .failed("\(webhook.host) answers \(response.status.code)", retryAfter: wait)
        }
    }
}
