package import SyncModel

/// What a request wrote, as it went out.
package final class SentRequest: Sendable {
    /// The later, the higher.
    let number: Int
    package let elements: [BatchElement]
    let body: [UInt8]
    let places: [SentPlace]
    /// The bytes of the body.
    package var size: Int { body.count }
    /// Where all of it was written, where that is one keyspace, nothing was removed, and it is more than one entry.
    let keyspace: Keyspace?

    init(number: Int, _ elements: [BatchElement], _ body: [UInt8], _ places: [SentPlace]) {
        self.number = number
        self.elements = elements
        self.body = body
        self.places = places
        let shared = elements.first?.keyspace
        let isWhole = places.count > 1 && places.count == elements.count
        keyspace = isWhole && elements.allSatisfy { $0.keyspace == shared } ? shared : nil
    }

    /// The key that the body begins with, as it spells it.
    var firstKey: String? {
        guard let text = places.first?.text.lowerBound, text > 4 else { return nil }
        // The brace and a quotation mark are before it, another one and the colon after it.
        return String(decoding: body[2..<text - 2], as: UTF8.self)
    }

    /// The database's time, where `shown` is the body with that in the places where it goes; nil where it says anything else,
    /// or not the same time everywhere.
    package func serverTime(in shown: ArraySlice<UInt8>) -> UInt64? {
        var (time, rest, end): (UInt64?, ArraySlice<UInt8>, Int) = (nil, shown, 0)
        for place in places {
            let before = body[end..<place.time.lowerBound]
            guard ByteOrder.areEqual(rest.prefix(before.count), before) else { return nil }
            rest = rest.dropFirst(before.count)
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard let found = SentPlace.time(of: digits), time == nil || found == time else { return nil }
            time = found
            rest = rest.dropFirst(digits.count)
            end = place.time.upperBound
        }
        return ByteOrder.areEqual(rest, body[end...]) ? time : nil
    }
}

/// Where the body of a request has what is written under a key.
package struct SentPlace: Sendable {
    /// Which of the request's elements it is.
    let element: Int
    let text: Range<Int>
    /// What the database puts its time in place of; within ``text``.
    let time: Range<Int>

    /// The time in `shown`; nil where that says anything else than was written.
    func serverTime(in shown: ArraySlice<UInt8>, sentIn body: [UInt8]) -> UInt64? {
        let before = body[text.lowerBound..<time.lowerBound]
        let digits = shown.count - text.count + time.count
        guard digits > 0, ByteOrder.areEqual(shown.prefix(before.count), before),
            ByteOrder.areEqual(shown.dropFirst(before.count + digits), body[time.upperBound..<text.upperBound])
        else { return nil }
        return SentPlace.time(of: shown.dropFirst(before.count).prefix(digits))
    }

    static func time(of digits: ArraySlice<UInt8>) -> UInt64? {
        guard (1...15).contains(digits.count) else { return nil }
        var number: UInt64 = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + UInt64(byte - 0x30)
        }
        return number
    }
}
