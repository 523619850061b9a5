package import FirebaseWire

/// Makes keys that sort by the time they were made, for `POST`.
///
/// 20 characters: 48 bits of milliseconds since 1970, then 72 random bits, in an alphabet whose order is that of ASCII.
/// A second id of the same millisecond is the first plus one, so ids of one generator strictly increase as long as
/// `now` does not fall.
package struct PushID: Sendable {
    private static let alphabet = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

    private var last: UInt64 = 0
    private var digits = [UInt8](repeating: 0, count: 12)

    package init() {}

    /// - Parameter now: milliseconds since 1970. A clock that went back is taken as standing still.
    package mutating func next(now: UInt64, using random: inout some RandomNumberGenerator) -> WireKey {
        if now > last {
            last = now
            digits = (0..<12).map { _ in UInt8.random(in: 0..<64, using: &random) }
        } else {
            increment()
        }
        let time = (0..<8).map { UInt8(truncatingIfNeeded: last >> UInt64(42 - 6 * $0) & 63) }
        return WireKey(unchecked: String(decoding: (time + digits).map { PushID.alphabet[Int($0)] }, as: UTF8.self))
    }

    private mutating func increment() {
        for place in digits.indices.reversed() {
            digits[place] = (digits[place] + 1) % 64
            if digits[place] != 0 { return }
        }
        last += 1
    }
}
