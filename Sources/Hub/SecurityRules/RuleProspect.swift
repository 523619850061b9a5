/// What can be said of an expression before it is known what is written.
///
/// It never says no to what could hold: what depends on `newData` is open, and so is what is made of it.
enum RuleProspect {
    case known(RuleValue)
    case open

    var isFalse: Bool { if case .known(.bool(false)) = self { true } else { false } }
}

extension RuleExpression {
    /// Whether a variable in it is one of those that `isOpen` names.
    fileprivate func depends(on isOpen: (Variable) -> Bool) -> Bool {
        switch self {
        case .literal: false
        case .variable(let name): isOpen(name)
        case .all(let parts), .any(let parts): parts.contains { $0.depends(on: isOpen) }
        case .not(let inner), .negated(let inner), .descent(let inner, _), .matches(let inner, _):
            inner.depends(on: isOpen)
        case .binary(_, let left, let right), .member(let left, let right):
            left.depends(on: isOpen) || right.depends(on: isOpen)
        case .choice(let condition, let yes, let no):
            condition.depends(on: isOpen) || yes.depends(on: isOpen) || no.depends(on: isOpen)
        case .call(let base, _, let arguments):
            base.depends(on: isOpen) || arguments.contains { $0.depends(on: isOpen) }
        }
    }
}

extension RuleEvaluation {
    /// What is not known yet: what is written, and below the place that is known, where.
    private func isOpen(_ variable: RuleExpression.Variable) -> Bool {
        switch variable {
        case .newData: true
        case .data: isBelow
        case .wildcard(let index): index >= wildcards.count
        case .auth, .now, .root, .query: false
        }
    }

    /// Whether `rule` may hold for some `newData`.
    func mayAllow(_ rule: RuleExpression) -> Bool {
        switch try? prospect(rule) {
        case .known(.bool(let truth))?: truth
        case .known?, nil: false
        case .open?: true
        }
    }

    /// Throws where no `newData` gives a value.
    private func prospect(_ expression: RuleExpression) throws -> RuleProspect {
        guard expression.depends(on: isOpen) else { return .known(try value(expression)) }
        switch expression {
        case .all(let parts): return try decided(parts, by: false)
        case .any(let parts): return try decided(parts, by: true)
        case .not(let inner):
            guard case .known(.bool(let truth)) = try prospect(inner) else { return .open }
            return .known(.bool(!truth))
        case .choice(let condition, let yes, let no):
            if case .known(.bool(let truth)) = try prospect(condition) { return try prospect(truth ? yes : no) }
            let ways = [try? prospect(yes), try? prospect(no)].compactMap(\.self)
            guard !ways.isEmpty else { throw RuleTypeError() }
            return ways.allSatisfy(\.isFalse) ? .known(.bool(false)) : .open
        default: return .open
        }
    }

    /// What logical parts come to, one of which decides all where it is `decisive`. Behind an open part a fault is only
    /// one of the ways it can end.
    private func decided(_ parts: [RuleExpression], by decisive: Bool) throws -> RuleProspect {
        var isOpen = false
        for part in parts {
            do {
                switch try prospect(part) {
                case .known(.bool(decisive)): return .known(.bool(decisive))
                case .known(.bool): continue
                case .known: throw RuleTypeError()
                case .open: isOpen = true
                }
            } catch  where isOpen {
                return decisive ? .open : .known(.bool(false))
            }
        }
        return isOpen ? .open : .known(.bool(!decisive))
    }
}
