package import SyncModel

/// A value that the server fills in when it applies the write: `{".sv": …}`.
package enum ServerValue: Hashable, Sendable {
    /// Milliseconds since 1970.
    case timestamp
    /// Adds to the number that is there; anything else there counts as zero.
    case increment(JSONValue)

    /// Reads an object with the key `.sv`; throws a refusal (400) where it is none of the known ones.
    package init(_ members: [String: JSONValue]) throws(WireRefusal) {
        let refusal = WireRefusal.badRequest("Invalid data; unknown or malformed .sv")
        guard members.count == 1, let word = members[".sv"] else { throw refusal }
        if word == .string("timestamp") {
            self = .timestamp
            return
        }
        guard case .object(let call) = word, call.count == 1, let delta = call["increment"] else { throw refusal }
        switch delta {
        case .integer, .number: self = .increment(delta)
        default: throw refusal
        }
    }

    /// Whether `value` has a server value anywhere in it.
    package static func occurs(in value: JSONValue) -> Bool {
        switch value {
        case .null, .bool, .integer, .number, .string: false
        case .array(let elements): elements.contains(where: occurs)
        case .object(let members): members[".sv"] != nil || members.values.contains(where: occurs)
        }
    }

    /// `value` with all server values filled in.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970; the same for a whole request.
    ///   - existing: what is stored at a path relative to `value` before the write.
    package static func resolved(
        _ value: JSONValue, now: Int64, existing: (WirePath) -> JSONValue?
    ) -> JSONValue {
        resolved(value, at: .root, now: now, existing: existing)
    }

    private static func resolved(
        _ value: JSONValue, at path: WirePath, now: Int64, existing: (WirePath) -> JSONValue?
    ) -> JSONValue {
        switch value {
        case .null, .bool, .integer, .number, .string: return value
        case .array(let elements):
            return .array(
                elements.enumerated().map { index, element in
                    let key = WireKey(unchecked: String(index))
                    return resolved(element, at: path.appending(key), now: now, existing: existing)
                }
            )
        case .object(let members):
            switch try? ServerValue(members) {
            case .timestamp: return .integer(now)
            case .increment(let delta): return sum(existing(path), delta)
            case nil: break
            }
            var result: [String: JSONValue] = [:]
            for (key, member) in members {
                let place = path.appending(WireKey(unchecked: key))
                result[key] = resolved(member, at: place, now: now, existing: existing)
            }
            return .object(result)
        }
    }

    /// Whole numbers add as 64-bit integers; where that overflows, or one side has a fraction, as doubles.
    private static func sum(_ current: JSONValue?, _ delta: JSONValue) -> JSONValue {
        switch (current, delta) {
        case (.integer(let left), .integer(let right)):
            let (result, overflow) = left.addingReportingOverflow(right)
            return overflow ? .number(Double(left) + Double(right)) : .integer(result)
        case (.integer(let left), .number(let right)): return .number(Double(left) + right)
        case (.number(let left), .integer(let right)): return .number(left + Double(right))
        case (.number(let left), .number(let right)): return .number(left + right)
        default: return delta
        }
    }
}
