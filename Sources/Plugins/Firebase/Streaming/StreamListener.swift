internal import AsyncHTTPClient
internal import FirebaseWire
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import PluginKit
internal import SyncModel
internal import Synchronization

/// Follows one keyspace: opens its stream, and a new one before the token of the old one ends.
struct StreamListener: Sendable {
    /// How many events a handler is given at once, beside what is removed together.
    private static let batch = 500
    /// How long after a replacement could not be opened it is tried again.
    private static let pause: Duration = .seconds(60)

    let client: DatabaseClient
    let http: HTTPClient
    let timeouts: FirebaseSettings.Timeouts
    let keyspace: Keyspace
    let cursor: UInt64?
    /// What this process wrote.
    let sent: SentEntries

    /// Hands events to `handler` until the stream ends.
    ///
    /// - Throws: ``RemoteError``, `CancellationError`, or what the handler throws.
    func run(_ handler: @Sendable ([RemoteEvent]) async throws -> Void) async throws {
        var stream = try await opened()
        while true { stream = try await follow(stream, handler) }
    }

    /// Opens the stream from the canonical URL.
    private func opened() async throws -> DatabaseAnswer {
        var request = DatabaseRequest(path: try client.location.path(of: keyspace))
        request.headers.add(name: "Accept", value: "text/event-stream")
        request.headers.add(name: "Cache-Control", value: "no-cache")
        if let cursor { request.query = [.init("orderBy", #""_t""#), .init("startAt", String(cursor))] }
        let answer: DatabaseAnswer
        do {
            answer = try await client.answer(to: request, over: http, deadline: .distantFuture)
        } catch let error as RemoteError where error.code == .outcomeUnknown {
            throw RemoteError(.streamEnded, error.message)
        }
        guard answer.status == 200 else { throw try await client.failure(of: answer) }
        let type = answer.response.headers.first(name: "Content-Type") ?? ""
        guard type.lowercased().hasPrefix("text/event-stream") else {
            let said = RemoteError.oneLine(client.credentials.redacted(type, answer.proof))
            throw RemoteError(
                .streamEnded, "\(client.location.origin) answered with \"\(said)\", not with an event stream")
        }
        return answer
    }

    /// Reads one stream until its replacement is open, which is returned.
    private func follow(
        _ stream: DatabaseAnswer, _ handler: @Sendable ([RemoteEvent]) async throws -> Void
    ) async throws -> DatabaseAnswer {
        let replacement = Replacement()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            if let token = stream.proof.token {
                group.addTask { await prepare(replacement, for: token) }
            }
            return try await read(stream, until: replacement, handler)
        }
    }

    /// Opens the next stream when the token is due for renewal.
    private func prepare(_ replacement: Replacement, for token: AccessToken) async {
        var attempt = token.renewal
        while attempt < token.expires {
            do {
                try await Task.sleep(until: attempt, clock: .continuous)
                // A token that could not be renewed is handed out until its end; a stream of it would be no better.
                if try await client.credentials.proof().token != token {
                    return replacement.set(try await opened())
                }
            } catch is CancellationError {
                return
            } catch {
                client.logger.warning(
                    "The stream could not be replaced before its token ends; it will be tried again.",
                    metadata: ["event": "stream.replacement.failed", "reason": "\(error)"])
            }
            attempt = .now + Self.pause
        }
    }

    private func read(
        _ stream: DatabaseAnswer, until replacement: Replacement,
        _ handler: @Sendable ([RemoteEvent]) async throws -> Void
    ) async throws -> DatabaseAnswer {
        var interpreter = StreamInterpreter(
            keyspace: keyspace, depth: client.location.depth(of: keyspace), sent: sent)
        var chunks = stream.response.body.makeAsyncIterator()
        while true {
            var events: ArraySlice<RemoteEvent>
            do {
                events = try await nextEvents(&chunks, &interpreter)[...]
            } catch let error as RemoteError {
                return try replacement.take(orThrow: error)
            }
            while !events.isEmpty {
                let rest = events.dropFirst(Self.batch).drop { $0.isRemoval }
                try await handler(Array(events[..<rest.startIndex]))
                events = rest
            }
            if let ending = interpreter.ending {
                return try replacement.take(orThrow: await error(for: ending, stream.proof))
            }
            if interpreter.isBetweenEvents, let next = replacement.take() {
                client.logger.debug(
                    "The stream was replaced before its token ends.", metadata: ["event": "stream.replaced"])
                return next
            }
        }
    }

    private func nextEvents(
        _ chunks: inout HTTPClientResponse.Body.AsyncIterator, _ interpreter: inout StreamInterpreter
    ) async throws -> [RemoteEvent] {
        do {
            guard let chunk = try await chunks.next() else { throw ended("was closed by the server") }
            client.meter.received(bytes: chunk.readableBytes)
            return interpreter.events(in: Array(chunk.readableBytesView)[...])
        } catch let error as HTTPClientError where error == .readTimeout {
            throw ended("was silent: no byte for \(timeouts.silentStream.components.seconds) s")
        } catch {
            let error = RemoteError.transport(error, at: client.location.origin)
            guard let error = error as? RemoteError else { throw error }
            throw RemoteError(.streamEnded, error.message)
        }
    }

    private func ended(_ how: String) -> RemoteError {
        RemoteError(.streamEnded, "the stream of \(client.location.origin) \(how)")
    }

    private func error(for ending: StreamInterpreter.Ending, _ proof: Proof) async -> RemoteError {
        switch ending {
        case .senseless(let reason):
            return ended("made no sense: \(reason)")
        case .revoked:
            await client.credentials.forget(proof)
            return RemoteError(.tokenEnded, "the stream's credential counts no more")
        case .cancelled(let words):
            let words = RemoteError.oneLine(client.credentials.redacted(words, proof))
            let message = "\(client.location.origin) cancelled the stream" + (words.isEmpty ? "" : ": \(words)")
            return RemoteError(RemoteError.isDenial(words) ? .denied : .stopped, message)
        }
    }
}

/// The stream that takes the place of another one, once it is open.
private final class Replacement: Sendable {
    private let stream = Mutex<DatabaseAnswer?>(nil)

    func set(_ answer: DatabaseAnswer) { stream.withLock { $0 = answer } }

    /// The stream, if it is open; only the first call gets it.
    func take() -> DatabaseAnswer? { stream.withLock { $0.take() } }

    func take(orThrow error: RemoteError) throws(RemoteError) -> DatabaseAnswer {
        guard let stream = take() else { throw error }
        return stream
    }
}
