internal import SyncModel

/// An expression can't be evaluated on this data: a wrong type, most often. The rule then refuses.
struct RuleTypeError: Error {}

/// Evaluates expressions with the variables of one rule at one place.
struct RuleEvaluation {
    /// `auth`, `now`, `root`, `data`, `newData`, `query` and the wildcards.
    var variables: [String: RuleValue]

    /// Whether `rule` holds. A type error is a no.
    func allows(_ rule: RuleExpression) -> Bool {
        if case .bool(true)? = try? value(rule) { true } else { false }
    }

    private func value(_ expression: RuleExpression) throws -> RuleValue {
        switch expression {
        case .literal(let value): return value
        case .variable(let name): return variables[name] ?? .null
        case .array, .regex: throw RuleTypeError()
        case .not(let inner): return .bool(try !truth(inner))
        case .negated(let inner): return .number(-(try number(inner)))
        case .choice(let condition, let yes, let no): return try value(truth(condition) ? yes : no)
        case .binary(let operation, let left, let right): return try combined(operation, left, right)
        case .member(let base, let name): return try member(try value(base), try string(name))
        case .call(let base, let method, let arguments):
            switch try value(base) {
            case .snapshot(let snapshot): return try called(snapshot, method, arguments)
            case .string(let text): return try called(text, method, arguments)
            default: throw RuleTypeError()
            }
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
        _ operation: RuleExpression.Binary, _ left: RuleExpression, _ right: RuleExpression
    ) throws -> RuleValue {
        switch operation {
        case .or: return .bool(try truth(left) || truth(right))
        case .and: return .bool(try truth(left) && truth(right))
        case .equal: return .bool(try areEqual(try value(left), try value(right)))
        case .notEqual: return .bool(try !areEqual(try value(left), try value(right)))
        case .less: return .bool(try order(left, right) < 0)
        case .lessOrEqual: return .bool(try order(left, right) <= 0)
        case .greater: return .bool(try order(left, right) > 0)
        case .greaterOrEqual: return .bool(try order(left, right) >= 0)
        case .plus: return try sum(try value(left), try value(right))
        case .minus: return .number(try number(left) - number(right))
        case .times: return .number(try number(left) * number(right))
        case .divided: return .number(try number(left) / number(right))
        case .remainder: return .number(try number(left).truncatingRemainder(dividingBy: number(right)))
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
    private func order(_ left: RuleExpression, _ right: RuleExpression) throws -> Int {
        switch (try value(left), try value(right)) {
        case (.number(let first), .number(let second)): return first < second ? -1 : first > second ? 1 : 0
        case (.string(let first), .string(let second)):
            if first.utf8.elementsEqual(second.utf8) { return 0 }
            return first.utf8.lexicographicallyPrecedes(second.utf8) ? -1 : 1
        default: throw RuleTypeError()
        }
    }

    private func sum(_ left: RuleValue, _ right: RuleValue) throws -> RuleValue {
        if case .number(let first) = left, case .number(let second) = right { return .number(first + second) }
        switch (left, right) {
        case (.string(let first), _): return .string(first + (try text(right)))
        case (_, .string(let second)): return .string(try text(left) + second)
        default: throw RuleTypeError()
        }
    }

    private func text(_ value: RuleValue) throws -> String {
        switch value {
        case .null: return "null"
        case .bool(let truth): return truth ? "true" : "false"
        case .number(let number): return Int64(exactly: number).map(String.init) ?? String(number)
        case .string(let text): return text
        case .object, .snapshot: throw RuleTypeError()
        }
    }

    // MARK: Methods

    private func called(
        _ snapshot: RuleSnapshot, _ method: RuleExpression.Method, _ arguments: [RuleExpression]
    ) throws -> RuleValue {
        switch method {
        case .val: return snapshot.value
        case .exists: return .bool(snapshot.exists)
        case .getPriority: return RuleValue(snapshot.node?.priority)
        case .child: return .snapshot(try child(snapshot, arguments[0]))
        case .hasChild: return .bool(try child(snapshot, arguments[0]).exists)
        case .hasChildren:
            guard let wanted = arguments.first else { return .bool(snapshot.hasChildren) }
            guard case .array(let names) = wanted, !names.isEmpty else { throw RuleTypeError() }
            return .bool(try names.allSatisfy { try child(snapshot, $0).exists })
        case .parent:
            guard let parent = snapshot.parent else { throw RuleTypeError() }
            return .snapshot(parent)
        case .isNumber: if case .number = snapshot.value { return .bool(true) } else { return .bool(false) }
        case .isString: if case .string = snapshot.value { return .bool(true) } else { return .bool(false) }
        case .isBoolean: if case .bool = snapshot.value { return .bool(true) } else { return .bool(false) }
        case .contains, .beginsWith, .endsWith, .replace, .toLowerCase, .toUpperCase, .matches: throw RuleTypeError()
        }
    }

    private func child(_ snapshot: RuleSnapshot, _ name: RuleExpression) throws -> RuleSnapshot {
        guard let child = snapshot.child(try string(name)) else { throw RuleTypeError() }
        return child
    }

    private func called(
        _ text: String, _ method: RuleExpression.Method, _ arguments: [RuleExpression]
    ) throws -> RuleValue {
        switch method {
        case .contains: return .bool(text.utf8.firstRange(of: try string(arguments[0]).utf8) != nil)
        case .beginsWith: return .bool(text.utf8.starts(with: try string(arguments[0]).utf8))
        case .endsWith: return .bool(text.utf8.reversed().starts(with: try string(arguments[0]).utf8.reversed()))
        case .replace: return .string(text.replacing(try string(arguments[0]), with: try string(arguments[1])))
        case .toLowerCase: return .string(text.lowercased())
        case .toUpperCase: return .string(text.uppercased())
        case .matches:
            guard case .regex(let pattern, let ignoresCase) = arguments[0] else { throw RuleTypeError() }
            let regex = try Regex(pattern).ignoresCase(ignoresCase)
            return .bool(text.firstMatch(of: regex) != nil)
        case .val, .child, .parent, .hasChild, .hasChildren, .exists, .isNumber, .isString, .isBoolean, .getPriority:
            throw RuleTypeError()
        }
    }
}
