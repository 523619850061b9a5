internal import FirebaseWire

/// The condition of a `.read`, `.write` or `.validate` rule, checked as far as that goes without data.
indirect enum RuleExpression: Sendable {
    enum Variable: Hashable, Sendable {
        case auth, now, root, data, newData, query
        /// The `$names` on the way to the rule, counted from the root.
        case wildcard(Int)
    }

    enum Binary: Sendable {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, plus, minus, times, divided, remainder
    }

    /// A method of a snapshot or a string.
    enum Method: String, Sendable {
        case val, child, parent, hasChild, hasChildren, exists, isNumber, isString, isBoolean, getPriority
        case contains, beginsWith, endsWith, replace, toLowerCase, toUpperCase, matches
    }

    case literal(RuleValue)
    case variable(Variable)
    /// `&&`
    case all([RuleExpression])
    /// `||`
    case any([RuleExpression])
    case not(RuleExpression)
    case negated(RuleExpression)
    case binary(Binary, RuleExpression, RuleExpression)
    case choice(RuleExpression, RuleExpression, RuleExpression)
    /// `base.name` and `base['name']`.
    case member(RuleExpression, RuleExpression)
    /// `child('a/b')`, its path read beforehand.
    case descent(RuleExpression, [WireKey])
    case matches(RuleExpression, RulePattern)
    /// Every other method; `hasChildren` has the wanted names as arguments, one null for an empty list of them.
    case call(RuleExpression, Method, [RuleExpression])
}

extension RuleExpression {
    var isNull: Bool { if case .literal(.null) = self { true } else { false } }
}

extension RuleExpression.Method {
    /// The methods of snapshots; all others are methods of strings.
    var isOfSnapshots: Bool {
        switch self {
        case .val, .child, .parent, .hasChild, .hasChildren, .exists, .isNumber, .isString, .isBoolean, .getPriority:
            true
        case .contains, .beginsWith, .endsWith, .replace, .toLowerCase, .toUpperCase, .matches: false
        }
    }

    var argumentCount: Int {
        switch self {
        case .child, .hasChild, .contains, .beginsWith, .endsWith: 1
        case .replace: 2
        default: 0
        }
    }

    var result: RuleType {
        switch self {
        case .val, .getPriority: .primitive
        case .child, .parent: .snapshot
        case .replace, .toLowerCase, .toUpperCase: .string
        default: .boolean
        }
    }
}
