internal import DatabaseTree
internal import FirebaseWire
internal import SyncModel

/// Evaluates expressions with the variables of one rule at one place.
struct RuleEvaluation {
    let auth: RuleValue
    /// Milliseconds since 1970.
    let now: Double
    let root: RuleSnapshot
    var data: RuleSnapshot
    /// Nil while reading.
    var newData: RuleSnapshot?
    /// The members of `query`; empty unless reading by a query.
    var query: [String: JSONValue] = [:]
    /// Whether the place is only known to be somewhere below ``data``.
    var isBelow = false
    /// The keys that the `$names` stand for, from the root down.
    var wildcards: [String] = []

    /// Whether `rule` holds. A type error is a no.
    func allows(_ rule: RuleExpression) -> Bool {
        if case .bool(true)? = try? value(rule) { true } else { false }
    }

    func value(_ expression: RuleExpression) throws -> RuleValue {
        switch expression {
        case .literal(let value): return value
        case .variable(let name): return try value(of: name)
        case .all(let parts): return .bool(try parts.allSatisfy(truth))
        case .any(let parts): return .bool(try parts.contains(where: truth))
        case .not(let inner): return .bool(try !truth(inner))
        case .negated(let inner): return .number(-(try number(inner)))
        case .choice(let condition, let yes, let no): return try value(truth(condition) ? yes : no)
        case .binary(let operation, let left, let right):
            return try combined(operation, try value(left), try value(right))
        case .member(let base, let name): return try member(try value(base), try key(name))
        case .descent(let base, let keys): return .snapshot(try snapshot(base).descend(keys))
        case .matches(let base, let pattern):
            guard let matches = pattern.matches(try string(base)) else { throw RuleTypeError() }
            return .bool(matches)
        case .call(let base, let method, let arguments):
            return method.isOfSnapshots
                ? try called(try snapshot(base), method, arguments) : try called(try string(base), method, arguments)
        }
    }

    private func value(of variable: RuleExpression.Variable) throws -> RuleValue {
        switch variable {
        case .auth: return auth
        case .now: return .number(now)
        case .root: return .snapshot(root)
        case .data: return .snapshot(data)
        case .newData:
            guard let newData else { throw RuleTypeError() }
            return .snapshot(newData)
        case .query: return .object(query)
        case .wildcard(let index): return .string(wildcards[index])
        }
    }

    private func truth(_ expression: RuleExpression) throws -> Bool {
        guard case .bool(let truth) = try value(expression) else { throw RuleTypeError() }
        return truth
    }

    private func number(_ expression: RuleExpression) throws -> Double {
        guard case .number(let number) = try value(expression) else { throw RuleTypeError() }
        return number
    }

    private func string(_ expression: RuleExpression) throws -> String {
        guard case .string(let text) = try value(expression) else { throw RuleTypeError() }
        return text
    }

    /// The name of a member; a number is one of an array's.
    private func key(_ expression: RuleExpression) throws -> String {
        switch try value(expression) {
        case .string(let text): return text
        case .number(let number):
            guard let index = Int(exactly: number) else { throw RuleTypeError() }
            return String(index)
        default: throw RuleTypeError()
        }
    }

    private func snapshot(_ expression: RuleExpression) throws -> RuleSnapshot {
        guard case .snapshot(let snapshot) = try value(expression) else { throw RuleTypeError() }
        return snapshot
    }

    private func member(_ base: RuleValue, _ name: String) throws -> RuleValue {
        switch base {
        case .null: return .null
        case .object(let members): return RuleValue(members[name])
        case .string(let text) where name == "length": return .number(Double(text.utf16.count))
        default: throw RuleTypeError()
        }
    }

    // MARK: Operators

    private func combined(
        _ operation: RuleExpression.Binary, _ left: RuleValue, _ right: RuleValue
    ) throws -> RuleValue {
        switch operation {
        case .equal: return .bool(try areEqual(left, right))
        case .notEqual: return .bool(try !areEqual(left, right))
        case .less, .lessOrEqual, .greater, .greaterOrEqual: return .bool(try compared(operation, left, right))
        case .plus:
            if case .number(let first) = left, case .number(let second) = right { return .number(first + second) }
            return .string(try text(left) + text(right))
        case .minus, .times, .divided, .remainder:
            guard case .number(let first) = left, case .number(let second) = right else { throw RuleTypeError() }
            return .number(calculated(operation, first, second))
        }
    }

    /// Nothing can be divided by zero: the result is no number, and compares as false with everything.
    private func calculated(_ operation: RuleExpression.Binary, _ left: Double, _ right: Double) -> Double {
        switch operation {
        case .minus: left - right
        case .times: left * right
        case .divided: right == 0 ? .nan : left / right
        default: left.truncatingRemainder(dividingBy: right)
        }
    }

    private func areEqual(_ left: RuleValue, _ right: RuleValue) throws -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let first), .bool(let second)): first == second
        case (.number(let first), .number(let second)): first == second
        case (.string(let first), .string(let second)): first.utf8.elementsEqual(second.utf8)
        case (.snapshot, _), (_, .snapshot): throw RuleTypeError()
        default: false
        }
    }

    /// Two numbers or two strings; anything else has no order.
    private func compared(
        _ operation: RuleExpression.Binary, _ left: RuleValue, _ right: RuleValue
    ) throws -> Bool {
        switch (left, right) {
        case (.number(let first), .number(let second)):
            switch operation {
            case .less: return first < second
            case .lessOrEqual: return first <= second
            case .greater: return first > second
            default: return first >= second
            }
        case (.string(let first), .string(let second)):
            // As queries have them.
            let order = UTF16Order.of(first, second)
            switch operation {
            case .less: return order < 0
            case .lessOrEqual: return order <= 0
            case .greater: return order > 0
            default: return order >= 0
            }
        default: throw RuleTypeError()
        }
    }

    private func text(_ value: RuleValue) throws -> String {
        switch value {
        case .number(let number) where number.isNaN: return "NaN"
        case .number(let number): return Int64(exactly: number).map(String.init) ?? String(number)
        case .string(let text): return text
        case .null, .bool, .object, .snapshot: throw RuleTypeError()
        }
    }

    // MARK: Methods

    private func called(
        _ snapshot: RuleSnapshot, _ method: RuleExpression.Method, _ arguments: [RuleExpression]
    ) throws -> RuleValue {
        switch method {
        case .val: return snapshot.value
        case .child: return .snapshot(try child(snapshot, arguments[0]))
        case .hasChild: return .bool(try child(snapshot, arguments[0]).exists)
        case .hasChildren where arguments.isEmpty: return .bool(snapshot.hasChildren)
        case .hasChildren where arguments.count == 1 && arguments[0].isNull: return .bool(true)
        case .hasChildren: return .bool(try arguments.allSatisfy { try child(snapshot, $0).exists })
        case .parent:
            guard let parent = snapshot.parent else { throw RuleTypeError() }
            return .snapshot(parent)
        case .exists: return .bool(snapshot.exists)
        case .isNumber: if case .number = snapshot.value { return .bool(true) } else { return .bool(false) }
        case .isString: if case .string = snapshot.value { return .bool(true) } else { return .bool(false) }
        case .isBoolean: if case .bool = snapshot.value { return .bool(true) } else { return .bool(false) }
        case .getPriority: return RuleValue(snapshot.priority)
        case .contains, .beginsWith, .endsWith, .replace, .toLowerCase, .toUpperCase, .matches: throw RuleTypeError()
        }
    }

    private func child(_ snapshot: RuleSnapshot, _ name: RuleExpression) throws -> RuleSnapshot {
        guard let keys = RuleSnapshot.keys(try string(name)) else { throw RuleTypeError() }
        return snapshot.descend(keys)
    }

    private func called(
        _ text: String, _ method: RuleExpression.Method, _ arguments: [RuleExpression]
    ) throws -> RuleValue {
        switch method {
        case .contains: return .bool(TextSearch(text).contains(try string(arguments[0])))
        case .beginsWith: return .bool(text.utf8.starts(with: try string(arguments[0]).utf8))
        case .endsWith: return .bool(text.utf8.reversed().starts(with: try string(arguments[0]).utf8.reversed()))
        case .replace:
            let (part, replacement) = (try string(arguments[0]), try string(arguments[1]))
            guard let replaced = TextSearch(text).replacing(part, with: replacement) else { throw RuleTypeError() }
            return .string(replaced)
        case .toLowerCase: return .string(text.lowercased())
        case .toUpperCase: return .string(text.uppercased())
        default: throw RuleTypeError()
        }
    }
}
