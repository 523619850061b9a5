package import DatabaseTree
package import FirebaseWire
package import SyncModel

/// Applies the rules of a database to one request.
package struct RuleCheck {
    let rules: Ruleset
    let auth: JSONValue
    /// Milliseconds since 1970.
    let now: Int64
    /// The database as it is before the request.
    package let before: Root
    let trace: ReadTrace?

    /// - Parameter trace: notes what of the database the rules look at.
    package init(rules: Ruleset, auth: JSONValue, now: Int64, before: Root, trace: ReadTrace? = nil) {
        self.rules = rules
        self.auth = auth
        self.now = now
        self.before = before
        self.trace = trace
    }

    /// Whether `path` may be read: a grant anywhere from the root down to it is enough.
    package func allowsReading(_ path: WirePath, query: Query?) -> Bool {
        var visit = Visit(self, after: nil)
        visit.evaluation.query = query?.variables ?? [:]
        for key in path.keys {
            if let rule = visit.place.read, visit.evaluation.allows(rule) { return true }
            guard visit.enter(key) else { return false }
        }
        return visit.place.read.map(visit.evaluation.allows) ?? false
    }

    /// Whether some write to `path` could be granted; false is for good, whatever it would write.
    ///
    /// - Parameter isPatch: whether places below `path` may be written, each granted by itself.
    package func mayAllowWriting(_ path: WirePath, isPatch: Bool) -> Bool {
        var visit = Visit(self, after: nil)
        if visit.mayBeGranted { return true }
        for key in path.keys {
            guard visit.enter(key) else { return false }
            if visit.mayBeGranted { return true }
        }
        guard isPatch else { return false }
        visit.evaluation.isBelow = true
        return visit.mayBeGrantedBelow
    }

    /// Whether the database may become `after` by writing `paths`: each is granted, and what is new is valid.
    package func allowsWriting(_ paths: [WirePath], after: Root) -> Bool {
        let start = Visit(self, after: RuleSnapshot(root: after, trace: trace))
        return paths.allSatisfy { allowsWriting($0, from: start) }
    }

    /// Whether the database may become what it is once `outline` is stored.
    package func allowsWriting(_ outline: Outline) -> Bool {
        let after = RuleSnapshot(Outlook(of: outline, on: before, now: now), trace: trace)
        let start = Visit(self, after: after)
        return outline.forEachPlace { allowsWriting($0, from: start) }
    }

    /// A grant anywhere down to the path is enough; what stands at the path, above it and below it must all be valid.
    private func allowsWriting(_ path: WirePath, from start: Visit) -> Bool {
        var visit = start
        var isGranted = visit.isGranted
        guard visit.isValid else { return false }
        for key in path.keys {
            guard visit.enter(key) else { return isGranted }
            isGranted = isGranted || visit.isGranted
            guard visit.isValid else { return false }
        }
        return isGranted && isValid(below: visit)
    }

    private func isValid(below visit: Visit) -> Bool {
        guard visit.place.hasChildren, let newData = visit.evaluation.newData else { return true }
        var isValid = true
        newData.forEachChild { key, child in
            var inner = visit
            if inner.enter(key, child) { isValid = inner.isValid && self.isValid(below: inner) }
            return isValid
        }
        return isValid
    }
}

/// The rules at one place, with what they see there.
private struct Visit {
    private(set) var place: Ruleset.Place
    var evaluation: RuleEvaluation

    /// At the root.
    init(_ check: RuleCheck, after: RuleSnapshot?) {
        place = check.rules.root
        let before = RuleSnapshot(root: check.before, trace: check.trace)
        evaluation = RuleEvaluation(
            auth: RuleValue(check.auth), now: Double(check.now), root: before, data: before, newData: after
        )
    }

    /// Goes down to `key`; false where no rules are.
    ///
    /// - Parameter newData: what will stand there, where that is known.
    mutating func enter(_ key: WireKey, _ newData: RuleSnapshot? = nil) -> Bool {
        guard let (child, isWildcard) = place.child(key) else { return false }
        place = child
        evaluation.data = evaluation.data.child(key)
        evaluation.newData = newData ?? evaluation.newData?.child(key)
        if isWildcard { evaluation.wildcards.append(key.text) }
        return true
    }

    /// Whether this place can grant a write of which nothing is known.
    var mayBeGranted: Bool { place.write.map(evaluation.mayAllow) ?? false }

    /// Whether some place below this one can; to be asked where the evaluation is below it.
    var mayBeGrantedBelow: Bool {
        (Array(place.children.values) + place.wildcard).contains { inner in
            var visit = self
            visit.place = inner
            return visit.mayBeGranted || visit.mayBeGrantedBelow
        }
    }

    var isGranted: Bool { place.write.map(evaluation.allows) ?? false }

    /// What is deleted is not looked at.
    var isValid: Bool {
        guard let rule = place.validate, evaluation.newData?.exists == true else { return true }
        return evaluation.allows(rule)
    }
}

extension Query {
    /// What rules see as `query`; where there is none all of it is null.
    fileprivate var variables: [String: JSONValue] {
        var variables: [String: JSONValue] = [
            "orderByKey": .bool(order == .key), "orderByValue": .bool(order == .value),
            "orderByPriority": .bool(order == .priority),
        ]
        if case .child(let path) = order { variables["orderByChild"] = .string(path.text) }
        if let limit { variables[limit.fromEnd ? "limitToLast" : "limitToFirst"] = .integer(Int64(limit.count)) }
        if let lower, lower == upper {
            variables["equalTo"] = lower.value.json
        } else {
            if let lower { variables[lower.inclusive ? "startAt" : "startAfter"] = lower.value.json }
            if let upper { variables[upper.inclusive ? "endAt" : "endBefore"] = upper.value.json }
        }
        return variables
    }
}

extension SortValue {
    fileprivate var json: JSONValue {
        switch self {
        case .null, .object: .null
        case .bool(let truth): .bool(truth)
        case .number(let number): .number(number)
        case .string(let text): .string(text)
        }
    }
}
