import Testing

@testable import DatabaseServer

struct PackingPaceTests {
    /// How many answers are packed, how long an event loop is busy, and how long each waits, in milliseconds.
    static let cases = [(1, 0, 1), (1, 9, 1), (4, 0, 4), (4, 1, 4), (4, 3, 9), (16, 3, 45), (4, 5000, 150)]

    @Test(arguments: cases) func `an answer leaves to every other one the time that it has seen taken`(
        _ count: Int, _ busy: Int, _ expected: Int
    ) {
        let pace = PackingPace()
        for _ in 0..<count { pace.begin() }
        #expect(pace.pause(after: .milliseconds(busy)) == .milliseconds(expected))
        for _ in 1..<count { pace.end() }
        #expect(pace.pause(after: .milliseconds(busy)) == .milliseconds(1))
    }
}
