/// The condition of a `.read`, `.write` or `.validate` rule.
indirect enum RuleExpression: Sendable {
    enum Binary: String, Sendable {
        case or = "||"
        case and = "&&"
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divided = "/"
        case remainder = "%"
    }

    /// A method of a snapshot or a string, with the number of its arguments.
    enum Method: String, Sendable {
        case val, child, parent, hasChild, hasChildren, exists, isNumber, isString, isBoolean, getPriority
        case contains, beginsWith, endsWith, replace, toLowerCase, toUpperCase, matches

        var argumentCounts: ClosedRange<Int> {
            switch self {
            case .child, .hasChild, .contains, .beginsWith, .endsWith, .matches: 1...1
            case .hasChildren: 0...1
            case .replace: 2...2
            default: 0...0
            }
        }
    }

    case literal(RuleValue)
    /// `auth`, `now`, `root`, `data`, `newData`, `query` or a `$wildcard`.
    case variable(String)
    case array([RuleExpression])
    case regex(pattern: String, ignoresCase: Bool)
    case not(RuleExpression)
    case negated(RuleExpression)
    case binary(Binary, RuleExpression, RuleExpression)
    case choice(RuleExpression, RuleExpression, RuleExpression)
    /// `base.name` and `base['name']`.
    case member(RuleExpression, RuleExpression)
    case call(RuleExpression, Method, [RuleExpression])
}
