/// Reads one expression. Everything that can be wrong without data is wrong here: unknown names, methods, arguments.
struct RuleParser {
    private let source: RulesSource
    private let text: RulesSource.Text
    /// The variables that may be named here.
    private let names: Set<String>
    private var position = 0
    private var depth = 0

    init(_ text: RulesSource.Text, in source: RulesSource, names: Set<String>) {
        self.text = text
        self.source = source
        self.names = names
    }

    mutating func read() throws(RulesError) -> RuleExpression {
        let expression = try choice()
        skipBlank()
        guard position == text.bytes.count else { throw error("this is not expected here") }
        return expression
    }

    private func error(_ message: String, at offset: Int? = nil) -> RulesError {
        source.error(message, at: text.offsets[min(offset ?? position, text.offsets.count - 1)])
    }

    // MARK: Operators, from weak to strong

    private mutating func choice() throws(RulesError) -> RuleExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth < 100 else { throw error("nested too deep") }
        let condition = try binary(0)
        guard take("?") else { return condition }
        let yes = try choice()
        guard take(":") else { throw error("a colon is expected") }
        return .choice(condition, yes, try choice())
    }

    private static let levels: [[(String, RuleExpression.Binary)]] = [
        [("||", .or)], [("&&", .and)],
        [("===", .equal), ("!==", .notEqual), ("==", .equal), ("!=", .notEqual)],
        [("<=", .lessOrEqual), (">=", .greaterOrEqual), ("<", .less), (">", .greater)],
        [("+", .plus), ("-", .minus)], [("*", .times), ("/", .divided), ("%", .remainder)],
    ]

    private mutating func binary(_ level: Int) throws(RulesError) -> RuleExpression {
        guard level < RuleParser.levels.count else { return try unary() }
        var left = try binary(level + 1)
        while let (_, operation) = RuleParser.levels[level].first(where: { take($0.0) }) {
            left = .binary(operation, left, try binary(level + 1))
        }
        return left
    }

    private mutating func unary() throws(RulesError) -> RuleExpression {
        depth += 1
        defer { depth -= 1 }
        guard depth < 100 else { throw error("nested too deep") }
        if take("!") { return .not(try unary()) }
        if take("-") { return .negated(try unary()) }
        return try postfix(try primary())
    }

    private mutating func postfix(_ base: RuleExpression) throws(RulesError) -> RuleExpression {
        var base = base
        while true {
            if take("[") {
                base = .member(base, try choice())
                guard take("]") else { throw error("] is expected") }
            } else if take(".") {
                skipBlank()
                let start = position
                guard let name = word() else { throw error("a name is expected") }
                guard take("(") else {
                    base = .member(base, .literal(.string(name)))
                    continue
                }
                let arguments = try list(closing: ")")
                guard let method = RuleExpression.Method(rawValue: name) else {
                    throw error("there is no method \(name)", at: start)
                }
                guard method.argumentCounts.contains(arguments.count) else {
                    throw error("\(name) has a wrong number of arguments", at: start)
                }
                if method == .matches, case .regex? = arguments.first {
                } else if method == .matches {
                    throw error("matches takes a regular expression between slashes", at: start)
                }
                base = .call(base, method, arguments)
            } else {
                return base
            }
        }
    }

    // MARK: Operands

    private mutating func primary() throws(RulesError) -> RuleExpression {
        skipBlank()
        guard let byte = peek else { throw error("the expression ends too early") }
        switch byte {
        case UInt8(ascii: "("):
            position += 1
            let inner = try choice()
            guard take(")") else { throw error(") is expected") }
            return inner
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .literal(.string(try string(byte)))
        case UInt8(ascii: "["):
            position += 1
            return .array(try list(closing: "]"))
        case UInt8(ascii: "/"): return try regex()
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .literal(.number(try number()))
        default: return try named()
        }
    }

    private mutating func named() throws(RulesError) -> RuleExpression {
        let start = position
        guard let name = word() else { throw error("a value is expected") }
        switch name {
        case "null": return .literal(.null)
        case "true": return .literal(.bool(true))
        case "false": return .literal(.bool(false))
        default:
            guard names.contains(name) else { throw error("\(name) is not known here", at: start) }
            return .variable(name)
        }
    }

    private mutating func list(closing: String) throws(RulesError) -> [RuleExpression] {
        var elements: [RuleExpression] = []
        if take(closing) { return [] }
        repeat { elements.append(try choice()) } while take(",")
        guard take(closing) else { throw error("\(closing) is expected") }
        return elements
    }

    private mutating func string(_ quote: UInt8) throws(RulesError) -> String {
        let start = position
        var bytes: [UInt8] = []
        position += 1
        while let byte = peek, byte != quote {
            position += 1
            if byte == UInt8(ascii: "\\"), let next = peek {
                bytes.append(next == UInt8(ascii: "n") ? 0x0A : next == UInt8(ascii: "t") ? 0x09 : next)
                position += 1
            } else {
                bytes.append(byte)
            }
        }
        guard peek != nil else { throw error("a string does not end", at: start) }
        position += 1
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func number() throws(RulesError) -> Double {
        let start = position
        while let byte = peek, (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".") { position += 1 }
        guard let number = Double(String(decoding: text.bytes[start..<position], as: UTF8.self)) else {
            throw error("this is not a number", at: start)
        }
        return number
    }

    private mutating func regex() throws(RulesError) -> RuleExpression {
        let start = position
        var pattern: [UInt8] = []
        position += 1
        while let byte = peek, byte != UInt8(ascii: "/") {
            position += 1
            pattern.append(byte)
            if byte == UInt8(ascii: "\\"), let next = peek {
                pattern.append(next)
                position += 1
            }
        }
        guard peek != nil else { throw error("a regular expression does not end", at: start) }
        position += 1
        let ignoresCase = peek == UInt8(ascii: "i")
        if ignoresCase { position += 1 }
        let text = String(decoding: pattern, as: UTF8.self)
        guard (try? Regex(text)) != nil else { throw error("this regular expression is not understood", at: start) }
        return .regex(pattern: text, ignoresCase: ignoresCase)
    }

    // MARK: Characters

    private var peek: UInt8? { position < text.bytes.count ? text.bytes[position] : nil }

    private mutating func word() -> String? {
        let start = position
        while let byte = peek, isName(byte) { position += 1 }
        return position > start ? String(decoding: text.bytes[start..<position], as: UTF8.self) : nil
    }

    private func isName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: false
        }
    }

    private mutating func take(_ symbol: String) -> Bool {
        skipBlank()
        guard text.bytes[position...].starts(with: symbol.utf8) else { return false }
        position += symbol.utf8.count
        return true
    }

    private mutating func skipBlank() {
        while let byte = peek, byte == 0x20 || (0x09...0x0D).contains(byte) { position += 1 }
    }
}
