/// Reads one expression. Everything that can be wrong without data is wrong here: names, methods, arguments, types.
struct RuleParser {
    /// A part of an expression that was read, and where it begins.
    struct Term {
        var expression: RuleExpression
        var type: RuleType
        let start: Int
        /// How many levels an evaluation goes down.
        var height = 1
    }

    /// The maxDepth expression, and the maxDepth nesting in its text.
    private static let maxHeight = 500
    private static let maxDepth = 250

    private let source: RulesSource
    let text: RulesSource.Text
    /// The variables that may be named here.
    let variables: [String: (RuleExpression.Variable, RuleType)]
    var position = 0
    private var depth = 0
    /// Where a comment begins that does not end.
    private var openComment: Int?

    init(
        _ text: RulesSource.Text, in source: RulesSource, variables: [String: (RuleExpression.Variable, RuleType)]
    ) {
        self.text = text
        self.source = source
        self.variables = variables
    }

    /// The whole text as a condition.
    mutating func read() throws(RulesError) -> RuleExpression {
        let term = try choice()
        skipBlank()
        guard position == text.bytes.count, openComment == nil else { throw error("this is not expected here") }
        try checkCondition(term, "a rule")
        return term.expression
    }

    func error(_ message: String, at offset: Int? = nil) -> RulesError {
        // What it hides seems to be missing, which is no help.
        if let openComment { return source.error("a comment does not end", at: text.offsets[openComment]) }
        return source.error(message, at: text.offsets[min(offset ?? position, text.offsets.count - 1)])
    }

    /// Refuses a term that can't have one of these types.
    func check(_ term: Term, _ types: Set<RuleType>, _ what: String) throws(RulesError) {
        guard !term.type.isOpen, !types.contains(term.type) else { return }
        let wanted = types.map(\.rawValue).sorted().joined(separator: " or ")
        throw error("\(what) takes a \(wanted), and this is a \(term.type.rawValue)", at: term.start)
    }

    /// Refuses a term that is not surely a boolean: what data may turn out to be is no condition.
    func checkCondition(_ term: Term, _ what: String) throws(RulesError) {
        guard term.type.isOpen else { return try check(term, [.boolean], what) }
        throw error("\(what) takes a boolean, and this may be anything: compare it, as in == true", at: term.start)
    }

    /// A term made of `parts`, where that is not too deep.
    func joined(_ expression: RuleExpression, _ type: RuleType, _ parts: Term...) throws(RulesError) -> Term {
        let height = (parts.map(\.height).max() ?? 0) + 1
        guard height < RuleParser.maxHeight else { throw error("this expression is too long", at: parts[0].start) }
        return Term(expression: expression, type: type, start: parts[0].start, height: height)
    }

    // MARK: Operators, from weak to strong

    mutating func choice() throws(RulesError) -> Term {
        depth += 1
        defer { depth -= 1 }
        guard depth < RuleParser.maxDepth else { throw error("nested too deep") }
        let condition = try alternatives()
        guard take("?") else { return condition }
        try checkCondition(condition, "?:")
        let yes = try choice()
        guard take(":") else { throw error("a colon is expected") }
        let no = try choice()
        guard yes.type == no.type || yes.type.isOpen || no.type.isOpen || yes.type == .null || no.type == .null else {
            throw error("?: takes two values of one type, and this is a \(no.type.rawValue)", at: no.start)
        }
        let type = yes.type == no.type ? yes.type : .anything
        return try joined(.choice(condition.expression, yes.expression, no.expression), type, condition, yes, no)
    }

    private mutating func alternatives() throws(RulesError) -> Term {
        try chain("||", { .any($0) }) { (parser) throws(RulesError) in
            try parser.chain("&&", { .all($0) }) { (parser) throws(RulesError) in try parser.binary(0) }
        }
    }

    /// Terms between the same logical operator.
    private mutating func chain(
        _ symbol: String, _ join: ([RuleExpression]) -> RuleExpression,
        of part: (inout RuleParser) throws(RulesError) -> Term
    ) throws(RulesError) -> Term {
        var result = try part(&self)
        var parts = [result.expression]
        while take(symbol) {
            try checkCondition(result, symbol)
            let next = try part(&self)
            try checkCondition(next, symbol)
            parts.append(next.expression)
            result.height = max(result.height, next.height)
            result.type = .boolean
        }
        guard parts.count > 1 else { return result }
        result.expression = join(parts)
        return try joined(result.expression, .boolean, result)
    }

    private static let levels: [[(String, RuleExpression.Binary)]] = [
        [("===", .equal), ("!==", .notEqual), ("==", .equal), ("!=", .notEqual)],
        [("<=", .lessOrEqual), (">=", .greaterOrEqual), ("<", .less), (">", .greater)],
        [("+", .plus), ("-", .minus)], [("*", .times), ("/", .divided), ("%", .remainder)],
    ]

    private mutating func binary(_ level: Int) throws(RulesError) -> Term {
        guard level < RuleParser.levels.count else { return try unary() }
        var left = try binary(level + 1)
        while let (symbol, operation) = RuleParser.levels[level].first(where: { take($0.0) }) {
            let right = try binary(level + 1)
            left = try joined(
                .binary(operation, left.expression, right.expression), try type(operation, symbol, left, right), left,
                right)
        }
        return left
    }

    /// What `operation` gives; refuses operands that it can't take.
    private func type(
        _ operation: RuleExpression.Binary, _ symbol: String, _ left: Term, _ right: Term
    ) throws(RulesError) -> RuleType {
        func check(_ types: Set<RuleType>) throws(RulesError) {
            try self.check(left, types, symbol)
            try self.check(right, types, symbol)
        }
        switch operation {
        case .equal, .notEqual:
            try check([.null, .boolean, .number, .string])
            return .boolean
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            // A number and a string have no order; only data can make that matter, and refuses then.
            try check([.null, .number, .string])
            return .boolean
        case .plus:
            try check([.number, .string])
            if left.type == .string || right.type == .string { return .string }
            return left.type == .number && right.type == .number ? .number : .primitive
        case .minus, .times, .divided, .remainder:
            try check([.number])
            return .number
        }
    }

    private mutating func unary() throws(RulesError) -> Term {
        depth += 1
        defer { depth -= 1 }
        guard depth < RuleParser.maxDepth else { throw error("nested too deep") }
        if take("!") {
            let inner = try unary()
            try checkCondition(inner, "!")
            return try joined(.not(inner.expression), .boolean, inner)
        }
        if take("-") {
            let inner = try unary()
            try check(inner, [.number], "-")
            return try joined(.negated(inner.expression), .number, inner)
        }
        var term = try primary()
        while true {
            if take("[") {
                term = try computedMember(of: term)
            } else if take(".") {
                term = try named(of: term)
            } else {
                return term
            }
        }
    }

    // MARK: Characters

    var peek: UInt8? { position < text.bytes.count ? text.bytes[position] : nil }

    mutating func word() -> String? {
        let start = position
        while let byte = peek, isName(byte) { position += 1 }
        return position > start ? String(decoding: text.bytes[start..<position], as: UTF8.self) : nil
    }

    private func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"): true
        case 0x80...: true
        default: false
        }
    }

    mutating func take(_ symbol: String) -> Bool {
        skipBlank()
        guard text.bytes[position...].starts(with: symbol.utf8) else { return false }
        position += symbol.utf8.count
        return true
    }

    /// Skips white space and both kinds of comments.
    mutating func skipBlank() {
        while let byte = peek {
            let rest = text.bytes[position...]
            if byte == 0x20 || (0x09...0x0D).contains(byte) {
                position += 1
            } else if rest.starts(with: "//".utf8) {
                while let byte = peek, byte != 0x0A, byte != 0x0D { position += 1 }
            } else if rest.starts(with: "/*".utf8) {
                skipComment()
            } else {
                return
            }
        }
    }

    /// Skips a comment to its end, or all there is where it has none.
    private mutating func skipComment() {
        let start = position
        position += 2
        while !text.bytes[position...].starts(with: "*/".utf8) {
            guard position < text.bytes.count else {
                openComment = start
                return
            }
            position += 1
        }
        position += 2
    }
}
