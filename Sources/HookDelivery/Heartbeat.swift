internal import AsyncHTTPClient
package import ControlAPI
internal import FoundationEssentials
internal import HTTPCalling
internal import HookRules
package import Logging
internal import NIOCore
internal import NIOHTTP1
internal import ServiceLifecycle
internal import Synchronization

/// Calls an address again and again while all is well, so that somebody is told when that ends: a dead man's switch.
///
/// Its path may be a secret, and is never logged.
package final class Heartbeat: Service {
    /// What is called, and how often.
    package struct Settings: Hashable, Sendable {
        /// Nil where nobody is to be called.
        package var url: String?
        /// Milliseconds.
        package var every: UInt64

        package init(url: String?, every: UInt64) {
            self.url = url
            self.every = every
        }
    }

    private let settings: Mutex<Settings>
    private let health: @Sendable () async -> HealthReport
    private let sleep: @Sendable (UInt64) async -> Void
    private let logger: Logger
    private let course = Mutex(HeartbeatCourse())
    /// Ends the pause that goes on now.
    private let waking = Mutex<AsyncStream<Void>.Continuation?>(nil)

    /// How long an answer may take.
    private static let patience = TimeAmount.seconds(10)

    /// - Parameters:
    ///   - health: how the daemon is.
    ///   - sleep: returns after so many milliseconds, or when the task is cancelled.
    package init(
        _ settings: Settings, health: @escaping @Sendable () async -> HealthReport,
        sleep: @escaping @Sendable (UInt64) async -> Void, logger: Logger
    ) {
        self.settings = Mutex(settings)
        self.health = health
        self.sleep = sleep
        self.logger = logger
    }

    /// Takes over other settings, which count at once.
    package func configure(_ new: Settings) {
        let isNew = settings.withLock { settings in
            defer { settings = new }
            return settings != new
        }
        if isNew { waking.withLock { $0 }?.finish() }
    }

    /// Runs until graceful shutdown.
    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let settings = self.settings.withLock { $0 }
                await self.beat(settings)
                await self.pause(after: settings)
            }
        }
    }

    /// Returns when the next call is due, or the settings have changed; where nobody is to be called, nothing wakes up.
    private func pause(after before: Settings) async {
        let (wake, waker) = AsyncStream<Void>.makeStream()
        waking.withLock { $0 = waker }
        guard settings.withLock({ $0 == before }) else { return }
        await withTaskGroup(of: Void.self) { group in
            if before.url != nil { group.addTask { await self.sleep(before.every) } }
            group.addTask { for await _ in wake {} }
            await group.next()
            group.cancelAll()
        }
    }

    private func beat(_ settings: Settings) async {
        guard let url = settings.url else { return }
        let health = await health()
        guard health.level == .ok else { return note(.withheld(health.reasons), url) }
        note(await answer(of: url), url)
    }

    private func answer(of url: String) async -> HeartbeatCourse.Standing {
        var configuration = HTTPClient.Configuration.calling
        configuration.timeout.connect = Heartbeat.patience
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let standing = await answer(of: url, over: client)
        // Closing has nothing to report that anyone could act on.
        try? await client.shutdown()
        return standing
    }

    private func answer(of url: String, over client: HTTPClient) async -> HeartbeatCourse.Standing {
        do {
            var request = HTTPClientRequest(url: url)
            request.headers.add(name: "user-agent", value: "moviesync")
            let response = try await client.execute(request, timeout: Heartbeat.patience)
            switch response.status.code {
            case 200..<300: return .beating
            case 300..<400: return .failed("it answers \(response.status.code), and redirects are not followed")
            default: return .failed("it answers \(response.status.code)")
            }
        } catch let error as HTTPClientError {
            return .failed("it does not answer: \(error.shortDescription)")
        } catch {
            return .failed("it can't be reached" + (CallFault.words(for: error).map { ": \($0)" } ?? ""))
        }
    }

    private func note(_ standing: HeartbeatCourse.Standing, _ url: String) {
        guard course.withLock({ $0.note(standing) }) else { return }
        let place = URL(string: url).flatMap(\.host) ?? "?"
        switch standing {
        case .new, .beating:
            logger.notice("The heartbeat is called again", metadata: ["event": "heartbeat.called", "host": "\(place)"])
        case .withheld(let reasons):
            logger.warning(
                "The heartbeat is not called, as not all is well",
                metadata: [
                    "event": "heartbeat.withheld", "host": "\(place)", "reason": "\(reasons.joined(separator: "; "))",
                ])
        case .failed(let reason):
            logger.warning(
                "The heartbeat failed",
                metadata: ["event": "heartbeat.failed", "host": "\(place)", "reason": "\(reason)"])
        }
    }
}
