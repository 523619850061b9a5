package import SyncModel

/// A value that the server fills in when it applies the write: `{".sv": …}`.
package enum ServerValue: Hashable, Sendable {
    /// Milliseconds since 1970.
    case timestamp
    /// Adds to the number that is there; anything else there counts as zero.
    case increment(JSONValue)

    /// Reads what stands under `.sv`; throws a refusal (400) where it is none of the known ones.
    package init(_ word: JSONValue) throws(Refusal) {
        if word == .string("timestamp") {
            self = .timestamp
            return
        }
        guard case .object(let call) = word, call.count == 1, let delta = call["increment"] else {
            throw .unknownServerValue
        }
        switch delta {
        case .integer, .number: self = .increment(delta)
        default: throw .unknownServerValue
        }
    }

    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - existing: what is stored at this place before the write.
    package func resolved(now: Int64, existing: @autoclosure () -> JSONValue?) -> JSONValue {
        switch self {
        case .timestamp: .integer(now)
        case .increment(let delta): ServerValue.sum(existing(), delta)
        }
    }

    /// Whole numbers add as 64-bit integers; where that overflows, or one side has a fraction, as doubles.
    private static func sum(_ current: JSONValue?, _ delta: JSONValue) -> JSONValue {
        switch (current, delta) {
        case (.integer(let left), .integer(let right)):
            let (result, overflow) = left.addingReportingOverflow(right)
            return overflow ? .number(Double(left) + Double(right)) : .integer(result)
        case (.integer(let left), .number(let right)): return finite(Double(left) + right)
        case (.number(let left), .integer(let right)): return finite(left + Double(right))
        case (.number(let left), .number(let right)): return finite(left + right)
        default: return delta
        }
    }

    /// A sum that no double holds stays at the largest one.
    private static func finite(_ sum: Double) -> JSONValue {
        .number(min(max(sum, -.greatestFiniteMagnitude), .greatestFiniteMagnitude))
    }
}
