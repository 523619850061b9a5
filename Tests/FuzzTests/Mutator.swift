import TestSupport

/// Makes new inputs out of those that are there: the same ones for the same seed.
struct Mutator {
    private var random: SeededRandom
    private var pool: [[UInt8]]
    private let words: [[UInt8]]
    private let seeds: Int

    private static let maxPool = 400
    private static let maxLength = 64 << 10

    init(_ target: FuzzTarget, corpus: [[UInt8]], seed: UInt64) {
        random = SeededRandom(seed)
        pool = target.seeds.map { Array($0.utf8) } + corpus
        seeds = pool.count
        words = (target.words + Mutator.words).map { Array($0.utf8) } + Mutator.badText
    }

    private static let words = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "null", "true", "false", "{}", "[]", "\"\"", "0", "-0", "1e400",
        "-1e-400",
        "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616",
        "1.7976931348623157e309",
        "0.1", "1E+2", "00", "NaN", "\\ud800", "\\udc00", "\\ud83d\\ude00", "\\u0000", "\\u000a", "\r\n", "\n", "\r",
        "\0", "\t",
        "%00", "%0a", "%", "%zz", "%ff", "e\u{301}", "\u{FEFF}", "\u{2028}", "🎬", "__proto__",
    ]
    /// Not UTF-8: a lone continuation, an overlong slash, a surrogate, beyond the last scalar, cut off.
    private static let badText: [[UInt8]] = [
        [0x80], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xFF], [0xFE],
    ]

    /// Keeps an input that was taken, to make others of it.
    mutating func learn(_ input: [UInt8]) {
        if pool.count < Mutator.maxPool {
            pool.append(input)
        } else {
            pool[seeds + random.below(Mutator.maxPool - seeds)] = input
        }
    }

    mutating func next() -> [UInt8] {
        var input = random.pick(pool)
        for _ in 0...random.below(5) { mutate(&input) }
        return Array(input.prefix(Mutator.maxLength))
    }

    private mutating func mutate(_ input: inout [UInt8]) {
        switch random.below(14) {
        case 0: if let place = place(in: input) { input[place] ^= 1 << UInt8(random.below(8)) }
        case 1: if let place = place(in: input) { input[place] = UInt8(random.below(256)) }
        case 2, 3: insert(random.pick(words), into: &input)
        case 4: if let place = place(in: input) { input.replaceSubrange(place..<(place + 1), with: random.pick(words)) }
        case 5: if let range = range(of: input) { input.removeSubrange(range) }
        case 6: if let range = range(of: input) { insert(Array(input[range]), into: &input) }
        case 7: if let range = piece(of: input) { input.removeSubrange(range) }
        case 8, 9: if let range = piece(of: input) { insert(Array(input[range]), into: &input, at: range.upperBound) }
        case 10: splice(&input)
        case 11: if let place = place(in: input) { input.removeSubrange(place...) }
        case 12: if random.chance(10) { nest(&input) }
        default: if random.chance(20) { repeatPiece(&input) }
        }
    }

    private mutating func place(in input: [UInt8]) -> Int? { input.isEmpty ? nil : random.below(input.count) }

    private mutating func range(of input: [UInt8]) -> Range<Int>? {
        guard let start = place(in: input) else { return nil }
        return start..<min(input.count, start + 1 + random.below(random.chance(20) ? 64 : 6))
    }

    /// From one delimiter to another one: a member, a value, a parameter, a line.
    private mutating func piece(of input: [UInt8]) -> Range<Int>? {
        let delimiters = Array("{}[],:\"\n&=?/ ;".utf8)
        let places = input.indices.filter { delimiters.contains(input[$0]) }
        guard places.count > 1 else { return range(of: input) }
        let first = random.below(places.count - 1)
        let last = min(places.count - 1, first + 1 + random.below(6))
        return places[first]..<places[last]
    }

    private mutating func insert(_ bytes: [UInt8], into input: inout [UInt8], at place: Int? = nil) {
        input.insert(contentsOf: bytes, at: place ?? random.below(input.count + 1))
    }

    /// The beginning of one input and the end of another.
    private mutating func splice(_ input: inout [UInt8]) {
        let other = random.pick(pool)
        input = Array(input.prefix(random.below(input.count + 1)) + other.suffix(random.below(other.count + 1)))
    }

    /// Brackets far deeper than anybody needs, closed or not.
    private mutating func nest(_ input: inout [UInt8]) {
        let kinds = [
            ("[", "]"), ("{\"a\":", "}"), ("(", ")"), ("!", ""), ("- ", ""), ("\"", "\""), ("a: ", "\n"), ("-", ""),
        ]
        let (open, close) = kinds[random.below(kinds.count)]
        let depth = random.pick([3, 33, 65, 130, 1_000, 20_000])
        insert(Array(String(repeating: open, count: depth).utf8), into: &input)
        if random.chance(50) { insert(Array(String(repeating: close, count: depth).utf8), into: &input) }
    }

    private mutating func repeatPiece(_ input: inout [UInt8]) {
        guard let range = range(of: input) else { return }
        let piece = Array(input[range])
        let count = random.pick([10, 100, 1_000, 8_000])
        insert(
            [[UInt8]](repeating: piece, count: min(count, Mutator.maxLength / piece.count)).flatMap(\.self),
            into: &input)
    }
}
