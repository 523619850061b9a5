/// What became of one promise.
package struct ExamResult: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case passed
        /// What it did instead.
        case failed(String)
        /// Why it could not be tried.
        case skipped(String)
    }

    /// A stable word.
    package let name: String
    /// The promise, a sentence without its subject.
    package let promise: String
    package let verdict: Verdict
}

/// A promise that is not kept: what the plugin did instead.
struct ExamFailure: Error {
    let message: String

    init(_ message: String) { self.message = message }
}

/// A promise that can't be tried: why.
struct ExamSkip: Error {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
