/// A regular expression of the rules, ready to be matched.
///
/// All ways through the pattern are followed side by side, so no pattern and no text make it slow out of proportion: the
/// effort is at most the length of the text times the size of the pattern, and bounded besides. The text is looked at in
/// UTF-16, as `length` counts it (https://firebase.google.com/docs/reference/security/database/regex).
struct RulePattern: Sendable {
    /// The characters that one place of the pattern takes.
    struct Units: Sendable {
        var ranges: [ClosedRange<UInt16>]
        var isNegated = false

        /// Whether one spelling of a character is among them.
        func contains(_ unit: UInt16, or other: UInt16) -> Bool {
            ranges.contains { $0.contains(unit) || $0.contains(other) } != isNegated
        }
    }

    enum Step: Sendable {
        case take(Units)
        /// Goes on at both places.
        case fork(Int, Int)
        case jump(Int)
        case end
    }

    /// A match that takes more steps than this is given up.
    static let maxEffort = 20_000_000

    let steps: [Step]
    let fromStart: Bool
    let toEnd: Bool
    let ignoresCase: Bool

    /// Whether `text` matches; nil where that was given up.
    func matches(_ text: String) -> Bool? {
        var run = Run(steps)
        run.add(0)
        for unit in text.utf16 {
            if run.hasEnded, !toEnd { return true }
            if run.places.isEmpty, fromStart { return false }
            guard run.effort <= RulePattern.maxEffort else { return nil }
            run.take(unit, or: ignoresCase ? RulePattern.otherCase(unit) : unit)
            if !fromStart { run.add(0) }
        }
        return run.hasEnded
    }

    /// The same letter in its other case; `unit` itself where there is none.
    private static func otherCase(_ unit: UInt16) -> UInt16 {
        guard let scalar = UnicodeScalar(unit) else { return unit }
        let properties = scalar.properties
        let other = properties.isUppercase ? properties.lowercaseMapping : properties.uppercaseMapping
        let units = other.utf16
        return units.count == 1 ? units.first ?? unit : unit
    }

    /// Where the ways through the pattern have come to.
    private struct Run {
        private let steps: [Step]
        /// The places that wait for a character, each once.
        private(set) var places: [Int] = []
        private(set) var hasEnded = false
        private(set) var effort = 0
        /// The turn in which a place was last reached.
        private var reached: [Int]
        private var turn = 1
        private var open: [Int] = []

        init(_ steps: [Step]) {
            self.steps = steps
            reached = Array(repeating: 0, count: steps.count)
        }

        /// Goes on from `place` up to where characters are needed.
        mutating func add(_ place: Int) {
            open.append(place)
            while let place = open.popLast() {
                guard reached[place] != turn else { continue }
                reached[place] = turn
                effort += 1
                switch steps[place] {
                case .take: places.append(place)
                case .jump(let next): open.append(next)
                case .end: hasEnded = true
                case .fork(let first, let second):
                    open.append(second)
                    open.append(first)
                }
            }
        }

        mutating func take(_ unit: UInt16, or other: UInt16) {
            let before = places
            places.removeAll(keepingCapacity: true)
            hasEnded = false
            turn += 1
            for place in before {
                effort += 1
                guard case .take(let units) = steps[place], units.contains(unit, or: other) else {
                    continue
                }
                add(place + 1)
            }
        }
    }
}
