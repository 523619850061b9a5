import Synchronization
import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1))) struct TurnstileTests {
    private final class Crowd: Sendable {
        let count = Mutex((inside: 0, most: 0))

        func come() {
            count.withLock { count in
                count.inside += 1
                count.most = max(count.most, count.inside)
            }
        }

        func go() { count.withLock { $0.inside -= 1 } }
    }

    @Test(arguments: [1, 3]) func `no more are inside than there are places`(_ places: Int) async {
        let (turnstile, crowd) = (Turnstile(places: places), Crowd())
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    await turnstile.enter()
                    crowd.come()
                    await Task.yield()
                    crowd.go()
                    turnstile.leave()
                }
            }
        }
        #expect(crowd.count.withLock(\.most) <= places)
    }

    @Test func `it is empty when all have left`() async {
        let (turnstile, crowd) = (Turnstile(places: 2), Crowd())
        await turnstile.empty()
        for _ in 0..<2 {
            await turnstile.enter()
            crowd.come()
        }
        async let isEmpty: Void = turnstile.empty()
        for _ in 0..<2 {
            crowd.go()
            turnstile.leave()
        }
        await isEmpty
        #expect(crowd.count.withLock(\.inside) == 0)
    }
}
