/// The hybrid logical clock reading of the edit that made a version; the higher stamp wins.
///
/// Ordered by `physical`, `counter`, `node`, in that order. The text form has a fixed width, so that the order of
/// texts is the order of stamps, also in Firebase security rules.
public struct Stamp: Hashable, Sendable {
    /// `physical` above `counter`: a record has many stamps, and is copied often.
    private let time: UInt64
    public let node: NodeID

    public static let maxPhysical: UInt64 = 1 << 48 - 1

    public init(physical: UInt64, counter: UInt16, node: NodeID) {
        time = min(physical, Stamp.maxPhysical) << 16 | UInt64(counter)
        self.node = node
    }

    /// Milliseconds since 1970, 48 bits.
    public var physical: UInt64 { time >> 16 }

    public var counter: UInt16 { UInt16(truncatingIfNeeded: time) }

    /// The stamp of what is derived from the version with this stamp: the same on every node, and below every later
    /// edit, because clocks issue even counters only. A full counter carries into the milliseconds.
    public var successor: Stamp {
        counter == .max
            ? Stamp(physical: physical + 1, counter: 0, node: node)
            : Stamp(physical: physical, counter: counter + 1, node: node)
    }
}

extension Stamp: Comparable {
    public static func < (left: Stamp, right: Stamp) -> Bool {
        (left.time, left.node) < (right.time, right.node)
    }
}

extension Stamp: CustomStringConvertible {
    /// `pppppppppppp-cccc-nnnnnnnnnnnnnnnn`, lower-case hexadecimal.
    public var description: String {
        String(unsafeUninitializedCapacity: 34) { out in
            spell(into: out)
            return 34
        }
    }

    /// Appends the text form.
    package func append(to out: inout [UInt8]) {
        out.append(count: 34, spell)
    }

    /// Writes the 34 bytes of the text form.
    private func spell(into out: UnsafeMutableBufferPointer<UInt8>) {
        let out = UnsafeMutableRawBufferPointer(out)
        func put(_ word: UInt64, at place: Int) {
            let digits = Hexadecimal.lowerDigits(UInt32(truncatingIfNeeded: word))
            out.storeBytes(of: digits.bigEndian, toByteOffset: place, as: UInt64.self)
        }
        // 12, 4 and 16 digits: the last of the first and the second are written with others before them, which are written
        // over.
        put(UInt64(counter), at: 9)
        put(physical, at: 4)
        put(physical >> 16, at: 0)
        out[12] = UInt8(ascii: "-")
        out[17] = UInt8(ascii: "-")
        put(node.value >> 32, at: 18)
        put(node.value, at: 26)
    }

    /// Reads the text form exactly; nil for upper case, another width, or anything else.
    public init?(_ text: some StringProtocol) { self.init(String(text)) }

    /// Reads the text form exactly; nil for upper case, another width, or anything else.
    public init?(_ text: String) {
        var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
        var word = 0
        var count = 0
        for byte in text.utf8 {
            count += 1
            if byte == UInt8(ascii: "-") {
                guard count == 13 || count == 18 else { return nil }
                word += 1
                continue
            }
            guard count <= 34, count != 13, count != 18, !(0x41...0x46).contains(byte) else { return nil }
            guard let digit = Hexadecimal.value(of: byte) else { return nil }
            switch word {
            case 0: words.0 = words.0 << 4 | digit
            case 1: words.1 = words.1 << 4 | digit
            default: words.2 = words.2 << 4 | digit
            }
        }
        guard count == 34, word == 2 else { return nil }
        self.init(physical: words.0, counter: UInt16(words.1), node: NodeID(words.2))
    }

    package static let byteCount = 16

    /// 16 bytes whose order is stamp order: 6 of milliseconds, 2 of counter, 8 of node.
    package var bytes: [UInt8] {
        Hexadecimal.bytes(time) + Hexadecimal.bytes(node.value)
    }

    /// Reads what ``bytes`` wrote; nil unless there are 16.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Stamp.byteCount else { return nil }
        let time = Hexadecimal.word(bytes[..<8])
        let node = NodeID(Hexadecimal.word(bytes[8...]))
        self.init(physical: time >> 16, counter: UInt16(truncatingIfNeeded: time), node: node)
    }
}
