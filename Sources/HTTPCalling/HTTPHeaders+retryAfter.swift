internal import FoundationEssentials
package import NIOHTTP1

extension HTTPHeaders {
    /// How long `Retry-After` of an answer asks to wait, in seconds or until a date (RFC 9110, section 10.2.3): a day at most.
    ///
    /// A date is counted from the answer's own `Date`, as the clocks of the two machines may differ.
    ///
    /// - Parameter now: milliseconds since 1970, for an answer without `Date`; this machine's clock where it is nil.
    /// - Returns: nil where nothing is asked for, or nothing that can be read.
    package func retryAfter(now: Int64? = nil) -> Duration? {
        guard let text = first(name: "Retry-After") else { return nil }
        if let seconds = Double(text), seconds.isFinite {
            return seconds < 0 ? nil : .seconds(Swift.min(seconds, 86_400))
        }
        guard let moment = HTTPDate.milliseconds(text) else { return nil }
        let sent = first(name: "Date").flatMap(HTTPDate.milliseconds) ?? now
        let answered = sent ?? Int64((Date.now.timeIntervalSince1970 * 1000).rounded())
        return .milliseconds(Swift.min(Swift.max(0, moment - answered), 86_400_000))
    }
}
