/// A set of numbers that says of one whether it may be there: never no where it is, and yes about once in 50,000 times where
/// it is not. Four bytes a number, eight at most, and as fast however many there are.
///
/// Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors", 1970. The bits of a number are in two words, so
/// that no more memory is looked at.
struct BloomFilter: Sendable {
    /// What holds so many numbers; when it is full another one, twice as large, is added.
    private struct Part: Sendable {
        var words: [UInt64]
        /// How many numbers may still be added.
        var room: Int

        init(words count: Int) {
            words = Array(repeating: 0, count: count)
            room = count * 2
        }

        func contains(_ places: Places) -> Bool {
            let mask = words.count - 1
            return words[places.first & mask] & places.firstBits == places.firstBits
                && words[places.second & mask] & places.secondBits == places.secondBits
        }

        mutating func insert(_ places: Places) {
            let mask = words.count - 1
            words[places.first & mask] |= places.firstBits
            words[places.second & mask] |= places.secondBits
            room -= 1
        }
    }

    /// Where a number's bits are.
    private struct Places {
        let first: Int
        let firstBits: UInt64
        let second: Int
        let secondBits: UInt64

        init(_ number: UInt64) {
            let one = Places.mixed(number)
            let other = Places.mixed(one &+ 0x9e37_79b9_7f4a_7c15)
            (first, second) = (Int(truncatingIfNeeded: one >> 32), Int(truncatingIfNeeded: other >> 32))
            (firstBits, secondBits) = (Places.bits(one), Places.bits(other))
        }

        /// Five of 64 bits, some of which may be the same.
        private static func bits(_ hash: UInt64) -> UInt64 {
            1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63) | 1 << (hash >> 18 & 63)
                | 1 << (hash >> 24 & 63)
        }

        /// Spreads any numbers evenly: the end of SplitMix64 (Steele, Lea and Flood, 2014).
        private static func mixed(_ number: UInt64) -> UInt64 {
            var hash = number
            hash = (hash ^ hash >> 30) &* 0xbf58_476d_1ce4_e5b9
            hash = (hash ^ hash >> 27) &* 0x94d0_49bb_1331_11eb
            return hash ^ hash >> 31
        }
    }

    private var parts = [Part(words: 1 << 15)]

    func mayContain(_ number: UInt64) -> Bool {
        let places = Places(number)
        for part in parts where part.contains(places) { return true }
        return false
    }

    mutating func insert(_ number: UInt64) {
        if parts[parts.count - 1].room == 0 { parts.append(Part(words: parts[parts.count - 1].words.count * 2)) }
        parts[parts.count - 1].insert(Places(number))
    }
}
