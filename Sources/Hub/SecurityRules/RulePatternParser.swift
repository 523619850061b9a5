/// Reads regular expressions in the dialect of the rules: `. * + ? {n,m} ( ) | [ ]`, `\s \w \d \S \W \D`, `^` as the first
/// and `$` as the last character. Both bind the whole pattern.
struct RulePatternParser {
    private indirect enum Tree {
        case units(RulePattern.Units)
        case sequence([Tree])
        case either([Tree])
        /// Without a maximum: any number of times.
        case repeated(Tree, Int, Int?)

        /// How many steps this becomes.
        var size: Int {
            switch self {
            case .units: 1
            case .sequence(let parts): parts.reduce(0) { $0 + $1.size }
            case .either(let parts): parts.reduce(0) { $0 + $1.size + 2 }
            case .repeated(let tree, let minCount, let maxCount): (tree.size + 2) * max(1, maxCount ?? minCount + 1)
            }
        }
    }

    private static let maxSize = 4096

    private let units: [UInt16]
    private var position = 0
    private var depth = 0

    /// Compiles the text between the slashes.
    static func pattern(_ text: String, ignoresCase: Bool) throws(RulePatternError) -> RulePattern {
        var units = Array(text.utf16)
        let fromStart = units.first == code("^")
        if fromStart { units.removeFirst() }
        let toEnd = units.last == code("$") && units.dropLast().reversed().prefix { $0 == code("\\") }.count % 2 == 0
        if toEnd { units.removeLast() }
        var parser = RulePatternParser(units: units)
        let tree = try parser.alternatives()
        guard parser.position == units.count else { throw RulePatternError(message: "a ) has no (") }
        guard tree.size < maxSize else { throw RulePatternError(message: "it is too large once it is written out") }
        var steps: [RulePattern.Step] = []
        compile(tree, to: &steps)
        return RulePattern(steps: steps + [.end], fromStart: fromStart, toEnd: toEnd, ignoresCase: ignoresCase)
    }

    private init(units: [UInt16]) { self.units = units }

    private static func code(_ character: Unicode.Scalar) -> UInt16 { UInt16(truncatingIfNeeded: character.value) }

    // MARK: Reading

    private mutating func alternatives() throws(RulePatternError) -> Tree {
        depth += 1
        defer { depth -= 1 }
        guard depth < 50 else { throw RulePatternError(message: "nested too deep") }
        let isWhole = depth == 1
        var parts = [try sequence()]
        while take("|") { parts.append(try sequence()) }
        // Only the whole pattern may be empty.
        if !isWhole || parts.count > 1, parts.contains(where: { $0.size == 0 }) {
            throw RulePatternError(message: "nothing stands beside a | or between parentheses; use ? instead")
        }
        return parts.count == 1 ? parts[0] : .either(parts)
    }

    private mutating func sequence() throws(RulePatternError) -> Tree {
        var parts: [Tree] = []
        while let unit = peek, unit != RulePatternParser.code("|"), unit != RulePatternParser.code(")") {
            let tree = try quantified(try single())
            parts.append(tree)
            guard tree.size < RulePatternParser.maxSize else {
                throw RulePatternError(message: "it is too large once it is written out")
            }
        }
        return .sequence(parts)
    }

    private mutating func single() throws(RulePatternError) -> Tree {
        guard let unit = peek, let scalar = UnicodeScalar(unit) else {
            defer { position += 1 }
            return .units(RulePattern.Units(ranges: [units[position]...units[position]]))
        }
        position += 1
        switch scalar {
        case "(":
            if peek == RulePatternParser.code("?") { throw RulePatternError(message: "(? is not understood") }
            let inner = try alternatives()
            guard take(")") else { throw RulePatternError(message: "a ( has no )") }
            return inner
        case "[": return .units(try set())
        case ".": return .units(RulePattern.Units(ranges: [0...UInt16.max]))
        case "\\": return .units(try escaped())
        case "*", "+", "?", "{": throw RulePatternError(message: "there is nothing to repeat before \(scalar)")
        case "]": throw RulePatternError(message: "a ] has no beginning; write \\] for itself")
        case "^", "$":
            throw RulePatternError(
                message: "^ may only be the first character, and $ the last; write \\\(scalar) for itself")
        default: return .units(RulePattern.Units(ranges: [unit...unit]))
        }
    }

    private mutating func quantified(_ tree: Tree) throws(RulePatternError) -> Tree {
        let result: Tree
        if take("*") {
            result = .repeated(tree, 0, nil)
        } else if take("+") {
            result = .repeated(tree, 1, nil)
        } else if take("?") {
            result = .repeated(tree, 0, 1)
        } else if take("{") {
            result = try counted(tree)
        } else {
            return tree
        }
        if let next = peek.flatMap(UnicodeScalar.init), "*+?{".unicodeScalars.contains(next) {
            throw RulePatternError(message: "a repetition can't be repeated; use parentheses")
        }
        return result
    }

    private mutating func counted(_ tree: Tree) throws(RulePatternError) -> Tree {
        guard let minCount = count() else {
            throw RulePatternError(message: "a count of at most 1000 is expected after {")
        }
        var maxCount: Int? = minCount
        if take(",") { maxCount = count() }
        guard take("}"), maxCount.map({ $0 >= minCount }) ?? true else {
            throw RulePatternError(message: "write {n}, {n,} or {n,m}, with numbers up to 1000")
        }
        return .repeated(tree, minCount, maxCount)
    }

    private mutating func count() -> Int? {
        var number: Int?
        while let unit = peek, (0x30...0x39).contains(unit), (number ?? 0) <= 1000 {
            number = (number ?? 0) * 10 + Int(unit - 0x30)
            position += 1
        }
        return number.flatMap { $0 <= 1000 ? $0 : nil }
    }

    private mutating func escaped() throws(RulePatternError) -> RulePattern.Units {
        guard let unit = peek else { throw RulePatternError(message: "it ends with \\") }
        position += 1
        let digits: [ClosedRange<UInt16>] = [0x30...0x39]
        let words: [ClosedRange<UInt16>] = [0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A]
        let blanks: [ClosedRange<UInt16>] = [0x09...0x0D, 0x20...0x20]
        switch UnicodeScalar(unit) {
        case "d": return RulePattern.Units(ranges: digits)
        case "D": return RulePattern.Units(ranges: digits, isNegated: true)
        case "w": return RulePattern.Units(ranges: words)
        case "W": return RulePattern.Units(ranges: words, isNegated: true)
        case "s": return RulePattern.Units(ranges: blanks)
        case "S": return RulePattern.Units(ranges: blanks, isNegated: true)
        case let scalar? where (words[1].contains(unit) || words[3].contains(unit) || digits[0].contains(unit)):
            throw RulePatternError(message: "\\\(scalar) is not understood")
        default: return RulePattern.Units(ranges: [unit...unit])
        }
    }

    /// What stands between `[` and `]`.
    private mutating func set() throws(RulePatternError) -> RulePattern.Units {
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt16>] = []
        repeat {
            let first = try member()
            if first.count == 1, peek == RulePatternParser.code("-"), position + 1 < units.count,
                units[position + 1] != RulePatternParser.code("]")
            {
                position += 1
                let last = try member()
                guard last.count == 1, first[0].lowerBound <= last[0].upperBound else {
                    throw RulePatternError(message: "a range of characters is upside down")
                }
                ranges.append(first[0].lowerBound...last[0].upperBound)
            } else {
                ranges += first
            }
        } while peek != RulePatternParser.code("]")
        position += 1
        return RulePattern.Units(ranges: ranges, isNegated: isNegated)
    }

    /// One character of a set, or several for `\w` and the like.
    private mutating func member() throws(RulePatternError) -> [ClosedRange<UInt16>] {
        guard let unit = peek else { throw RulePatternError(message: "a [ has no ]") }
        guard take("\\") else {
            position += 1
            return [unit...unit]
        }
        let units = try escaped()
        guard units.isNegated else { return units.ranges }
        var ranges: [ClosedRange<UInt16>] = []
        var next: UInt16 = 0
        for range in units.ranges {
            if range.lowerBound > next { ranges.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        return ranges + [next...UInt16.max]
    }

    private var peek: UInt16? { position < units.count ? units[position] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == RulePatternParser.code(character) else { return false }
        position += 1
        return true
    }

    // MARK: Compiling

    private static func compile(_ tree: Tree, to steps: inout [RulePattern.Step]) {
        switch tree {
        case .units(let units): steps.append(.take(units))
        case .sequence(let parts): for part in parts { compile(part, to: &steps) }
        case .either(let parts):
            var exits: [Int] = []
            for part in parts.dropLast() {
                let fork = steps.count
                steps.append(.jump(0))
                compile(part, to: &steps)
                exits.append(steps.count)
                steps.append(.jump(0))
                steps[fork] = .fork(fork + 1, steps.count)
            }
            if let last = parts.last { compile(last, to: &steps) }
            for exit in exits { steps[exit] = .jump(steps.count) }
        case .repeated(let tree, let minCount, let maxCount):
            for _ in 0..<minCount { compile(tree, to: &steps) }
            var forks: [Int] = []
            for _ in 0..<max(0, (maxCount ?? minCount + 1) - minCount) {
                forks.append(steps.count)
                steps.append(.jump(0))
                compile(tree, to: &steps)
            }
            if maxCount == nil, let fork = forks.first { steps.append(.jump(fork)) }
            for fork in forks { steps[fork] = .fork(fork + 1, steps.count) }
        }
    }
}
