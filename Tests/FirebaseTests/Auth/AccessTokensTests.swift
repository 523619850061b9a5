import PluginKit
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import Firebase

@Suite(.inTurn, .timeLimit(.minutes(1))) struct AccessTokensTests {
    /// A token obtained `age` ago that is due for renewal and ends after these times from now.
    private func token(_ text: String, age: Duration, renewal: Duration, end: Duration) -> AccessToken {
        let now = ContinuousClock.now
        return AccessToken(text: text, obtained: now - age, renewal: now + renewal, expires: now + end)
    }

    /// Gives out the tokens in order, then fails.
    private func tokens(_ list: AccessToken...) -> AccessTokens {
        let rest = Mutex(list)
        return AccessTokens {
            try rest.withLock { rest in
                guard !rest.isEmpty else { throw RemoteError(.unreachable, "no more tokens") }
                return rest.removeFirst()
            }
        }
    }

    private let hour = Duration.seconds(3600)

    @Test func `an old token that was refused is renewed`() async throws {
        let old = token("old", age: .seconds(61), renewal: hour, end: hour)
        let new = token("new", age: .zero, renewal: hour, end: hour)
        let tokens = tokens(old, new)
        #expect(try await tokens.token() == old)
        #expect(try await tokens.token(after: old) == new)
        #expect(try await tokens.token(after: old) == new, "somebody else has renewed it meanwhile")
        #expect(try await tokens.token(after: new) == nil)
        #expect(try await tokens.token() == new)
    }

    @Test func `while no new token can be had, one that is still valid is used`() async throws {
        let near = token("near", age: hour, renewal: .zero, end: .seconds(300))
        let tokens = tokens(near)
        #expect(try await tokens.token() == near)
        #expect(try await tokens.token() == near)
    }

    @Test func `a token that has ended is not used`() async throws {
        let ended = token("ended", age: hour, renewal: .zero, end: .zero)
        let tokens = tokens(ended)
        _ = try await tokens.token()
        await #expect(throws: RemoteError.self) { try await tokens.token() }
    }

    @Test func `a caller that is cancelled costs the others nothing`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let good = token("good", age: .zero, renewal: hour, end: hour)
        let attempts = Mutex(0)
        let tokens = AccessTokens {
            let attempt = attempts.withLock { count in
                count += 1
                return count
            }
            if attempt > 1 { return good }
            arrival.yield()
            for await _ in AsyncStream<Never>.makeStream().stream {}
            throw CancellationError()
        }
        try await withThrowingTaskGroup(of: AccessToken.self) { group in
            let first = Task { try await tokens.token() }
            for await _ in arrivals { break }
            group.addTask { try await tokens.token() }
            first.cancel()
            await #expect(throws: CancellationError.self) { try await first.value }
            let token = try await group.next()
            #expect(token == good)
        }
    }
}
