@testable import JournalTail

extension JournalFollower {
    /// The texts of all lines that the follower has to say now.
    mutating func lines() -> [String] {
        var lines: [String] = []
        while let event = nextAtOnce() {
            guard case .batch(let batch) = event else { continue }
            lines += batch.elements.map { element in
                guard case .line(let line) = element else { return "rejected" }
                return String(decoding: line.bytes, as: UTF8.self)
            }
        }
        return lines
    }
}
