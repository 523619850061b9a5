internal import FirebaseWire

extension RuleParser {
    // MARK: Values

    mutating func primary() throws(RulesError) -> Term {
        skipBlank()
        let start = position
        guard let byte = peek else { throw error("the expression ends too early") }
        switch byte {
        case UInt8(ascii: "("):
            position += 1
            let inner = try choice()
            guard take(")") else { throw error(") is expected") }
            return Term(expression: inner.expression, type: inner.type, start: start, height: inner.height)
        case UInt8(ascii: "'"), UInt8(ascii: "\""):
            return Term(expression: .literal(.string(try string(byte))), type: .string, start: start)
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            return Term(expression: .literal(.number(try number())), type: .number, start: start)
        case UInt8(ascii: "["): throw error("an array may only stand in hasChildren")
        case UInt8(ascii: "/"): throw error("a regular expression may only stand in matches")
        default: return try variable()
        }
    }

    private mutating func variable() throws(RulesError) -> Term {
        let start = position
        guard let name = word() else { throw error("a value is expected") }
        switch name {
        case "null": return Term(expression: .literal(.null), type: .null, start: start)
        case "true": return Term(expression: .literal(.bool(true)), type: .boolean, start: start)
        case "false": return Term(expression: .literal(.bool(false)), type: .boolean, start: start)
        default:
            guard let (variable, type) = variables[name] else { throw error("\(name) is not known here", at: start) }
            return Term(expression: .variable(variable), type: type, start: start)
        }
    }

    private mutating func number() throws(RulesError) -> Double {
        let start = position
        func digits(_ parser: inout RuleParser) {
            while let byte = parser.peek, (0x30...0x39).contains(byte) { parser.position += 1 }
        }
        digits(&self)
        if peek == UInt8(ascii: ".") {
            position += 1
            digits(&self)
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            position += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { position += 1 }
            digits(&self)
        }
        let next = word()
        guard next == nil, let number = Double(String(decoding: text.bytes[start..<position], as: UTF8.self)) else {
            throw error("this is not a number", at: start)
        }
        return number
    }

    private mutating func string(_ quote: UInt8) throws(RulesError) -> String {
        let start = position
        var bytes: [UInt8] = []
        position += 1
        while let byte = peek, byte != quote {
            position += 1
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                continue
            }
            guard let next = peek else { break }
            position += 1
            switch next {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"): bytes += try unicode(UInt8(ascii: "u"), digits: 4)
            case UInt8(ascii: "x"): bytes += try unicode(UInt8(ascii: "x"), digits: 2)
            default: bytes.append(next)
            }
        }
        guard peek == quote else { throw error("a string does not end", at: start) }
        position += 1
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The character behind `\u` or `\x`; two of them where they make one.
    private mutating func unicode(_ letter: UInt8, digits: Int) throws(RulesError) -> [UInt8] {
        let start = position - 2
        var units: [UInt16] = []
        repeat {
            let digits = text.bytes[position...].prefix(digits)
            guard let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16), digits.first != 0x2B else {
                throw error("this escape is not understood", at: start)
            }
            position += digits.count
            units.append(unit)
            guard units.count == 1, UTF16.isLeadSurrogate(unit), text.bytes[position...].starts(with: [0x5C, letter])
            else { break }
            position += 2
        } while true
        guard let text = String(validating: units, as: UTF16.self) else {
            throw error("this escape is not understood", at: start)
        }
        return Array(text.utf8)
    }

    // MARK: What follows a value

    /// `base[…]`, behind the bracket.
    mutating func computedMember(of base: Term) throws(RulesError) -> Term {
        let name = try choice()
        guard take("]") else { throw error("] is expected") }
        try check(name, base.type == .anything ? [.string, .number] : [.string], "[ ]")
        guard case .literal(.string(let text)) = name.expression else {
            guard base.type == .anything else { throw error("a string in quotes is expected", at: name.start) }
            return try joined(.member(base.expression, name.expression), .anything, base, name)
        }
        return take("(") ? try call(text, of: base, at: name.start) : try member(text, of: base, at: name.start)
    }

    /// `base.name` and `base.name(…)`, behind the dot.
    mutating func named(of base: Term) throws(RulesError) -> Term {
        skipBlank()
        let start = position
        guard let name = word() else { throw error("a name is expected") }
        return take("(") ? try call(name, of: base, at: start) : try member(name, of: base, at: start)
    }

    /// `base.name(…)`, behind the parenthesis.
    private mutating func call(_ name: String, of base: Term, at start: Int) throws(RulesError) -> Term {
        guard let method = RuleExpression.Method(rawValue: name) else {
            throw error("there is no method \(name)", at: start)
        }
        let fits = method.isOfSnapshots ? base.type == .snapshot : base.type == .string || base.type.isOpen
        guard fits else { throw error("a \(base.type.rawValue) has no method \(name)", at: start) }
        switch method {
        case .matches: return try joined(.matches(base.expression, try pattern()), .boolean, base)
        case .hasChildren: return try joined(.call(base.expression, method, try names()), .boolean, base)
        default: return try call(method, of: base, at: start)
        }
    }

    private static let queryMembers: [String: RuleType] = [
        "orderByKey": .boolean, "orderByValue": .boolean, "orderByPriority": .boolean, "orderByChild": .primitive,
        "startAt": .primitive, "startAfter": .primitive, "endAt": .primitive, "endBefore": .primitive,
        "equalTo": .primitive, "limitToFirst": .primitive, "limitToLast": .primitive,
    ]

    private func member(_ name: String, of base: Term, at start: Int) throws(RulesError) -> Term {
        let type: RuleType? =
            switch base.type {
            case .anything: .anything
            case .query: RuleParser.queryMembers[name]
            case .string, .primitive: name == "length" ? .number : nil
            case .null, .boolean, .number, .snapshot: nil
            }
        guard let type else { throw error("a \(base.type.rawValue) has no property \(name)", at: start) }
        return try joined(.member(base.expression, .literal(.string(name))), type, base)
    }

    private mutating func call(
        _ method: RuleExpression.Method, of base: Term, at start: Int
    ) throws(RulesError) -> Term {
        let arguments = try list(closing: ")")
        guard method.argumentCount == arguments.count else {
            throw error("\(name(method)) has a wrong number of arguments: it takes \(method.argumentCount)", at: start)
        }
        var result = base
        for argument in arguments {
            try check(argument, [.string], name(method))
            result.height = max(result.height, argument.height)
        }
        if method == .child, case .literal(.string(let path))? = arguments.first?.expression {
            guard let keys = RuleSnapshot.keys(path) else {
                throw error("a path has at most \(WirePath.maxDepth) keys", at: arguments[0].start)
            }
            return try joined(.descent(base.expression, keys), .snapshot, result)
        }
        return try joined(.call(base.expression, method, arguments.map(\.expression)), method.result, result)
    }

    private func name(_ method: RuleExpression.Method) -> String { method.rawValue }

    /// The argument of `hasChildren`, if there is one.
    private mutating func names() throws(RulesError) -> [RuleExpression] {
        if take(")") { return [] }
        guard take("[") else { throw error("hasChildren takes an array of strings") }
        let names = try list(closing: "]")
        for name in names { try check(name, [.string], "hasChildren") }
        guard take(")") else { throw error(") is expected") }
        // Of no names all are there, which is not the question whether there is any child.
        return names.isEmpty ? [.literal(.null)] : names.map(\.expression)
    }

    private mutating func list(closing: String) throws(RulesError) -> [Term] {
        if take(closing) { return [] }
        var terms = [try choice()]
        while take(",") {
            // As in JavaScript: many write arrays with a comma behind the last element.
            if closing == "]", take(closing) { return terms }
            terms.append(try choice())
        }
        guard take(closing) else { throw error("a comma or \(closing) is expected") }
        return terms
    }

    /// The argument of `matches`.
    private mutating func pattern() throws(RulesError) -> RulePattern {
        skipBlank()
        let start = position
        guard take("/") else { throw error("matches takes a regular expression between slashes") }
        var bytes: [UInt8] = []
        var isInSet = false
        while let byte = peek, byte != UInt8(ascii: "/") || isInSet {
            position += 1
            bytes.append(byte)
            if byte == UInt8(ascii: "[") { isInSet = true }
            if byte == UInt8(ascii: "]") { isInSet = false }
            if byte == UInt8(ascii: "\\"), let next = peek {
                bytes.append(next)
                position += 1
            }
        }
        guard peek != nil else { throw error("a regular expression does not end", at: start) }
        position += 1
        let flags = word() ?? ""
        guard flags.isEmpty || flags == "i" else {
            throw error("a regular expression may have the flag i and no other", at: start)
        }
        guard take(")") else { throw error("matches takes one regular expression") }
        do {
            return try RulePatternParser.pattern(String(decoding: bytes, as: UTF8.self), ignoresCase: flags == "i")
        } catch {
            throw self.error("this regular expression is not understood: \(error.message)", at: start)
        }
    }
}
