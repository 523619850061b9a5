internal import RTDBWire
internal import SyncModel

/// Who sends a request.
enum Authority: Sendable {
    /// Rules do not apply.
    case owner
    /// Rules apply, with this as `auth`; null where nobody is signed in.
    case client(auth: JSONValue)
}

/// Applies the rules of a database to one request.
struct RuleCheck {
    let rules: Ruleset
    let auth: JSONValue
    /// Milliseconds since 1970.
    let now: Int64
    /// The database as it is before the request.
    let before: Root

    /// Whether `path` may be read: a grant anywhere from the root down to it is enough.
    func allowsReading(_ path: WirePath, query: WireQuery?) -> Bool {
        var granted = false
        walk(path) { place, here, evaluation in
            var evaluation = evaluation
            evaluation.variables["data"] = .snapshot(RuleSnapshot(root: before, path: here))
            evaluation.variables["query"] = .object(query?.variables ?? [:])
            if let rule = place.read, evaluation.allows(rule) { granted = true }
            return !granted
        }
        return granted
    }

    /// Whether the database may become `after` by writing `paths`: each is granted, and what is new is valid.
    func allowsWriting(_ paths: [WirePath], after: Root) -> Bool {
        paths.allSatisfy { path in isGranted(path, after) && isValid(path, after) }
    }

    private func isGranted(_ path: WirePath, _ after: Root) -> Bool {
        var granted = false
        walk(path) { place, here, evaluation in
            if let rule = place.write, prepared(evaluation, here, after).allows(rule) { granted = true }
            return !granted
        }
        return granted
    }

    /// The rules at the path, above it, and below it where there is new data.
    private func isValid(_ path: WirePath, _ after: Root) -> Bool {
        var valid = true
        walk(path) { place, here, evaluation in
            guard after.value(at: here) != nil else { return false }
            if let rule = place.validate, !prepared(evaluation, here, after).allows(rule) { valid = false }
            if valid, here == path, let node = after.value(at: here) {
                valid = isValid(below: place, here, node, evaluation, after)
            }
            return valid
        }
        return valid
    }

    private func isValid(
        below place: Ruleset.Place, _ here: WirePath, _ node: Node, _ evaluation: RuleEvaluation, _ after: Root
    ) -> Bool {
        guard place.hasChildren else { return true }
        var valid = true
        node.forEachChild { key, child in
            guard let (rules, wildcard) = place.child(key) else { return true }
            var inner = evaluation
            if let wildcard { inner.variables[wildcard] = .string(key.text) }
            let path = here.appending(key)
            if let rule = rules.validate, !prepared(inner, path, after).allows(rule) { valid = false }
            valid = valid && isValid(below: rules, path, child, inner, after)
            return valid
        }
        return valid
    }

    private func prepared(_ evaluation: RuleEvaluation, _ path: WirePath, _ after: Root) -> RuleEvaluation {
        var evaluation = evaluation
        evaluation.variables["data"] = .snapshot(RuleSnapshot(root: before, path: path))
        evaluation.variables["newData"] = .snapshot(RuleSnapshot(root: after, path: path))
        return evaluation
    }

    /// Visits the rules from the root down to `path`, with wildcards filled in, until `body` returns false.
    private func walk(_ path: WirePath, _ body: (Ruleset.Place, WirePath, RuleEvaluation) -> Bool) {
        var place = rules.root
        var here = WirePath.root
        var evaluation = RuleEvaluation(variables: [
            "auth": RuleValue(auth), "now": .number(Double(now)),
            "root": .snapshot(RuleSnapshot(root: before, path: .root)),
        ])
        guard body(place, here, evaluation) else { return }
        for key in path.keys {
            guard let (child, wildcard) = place.child(key) else { return }
            if let wildcard { evaluation.variables[wildcard] = .string(key.text) }
            place = child
            here = here.appending(key)
            guard body(place, here, evaluation) else { return }
        }
    }
}

extension WireQuery {
    /// What rules see as `query`.
    fileprivate var variables: [String: JSONValue] {
        var variables: [String: JSONValue] = [:]
        switch order {
        case .key: variables["orderByKey"] = true
        case .value: variables["orderByValue"] = true
        case .priority: variables["orderByPriority"] = true
        case .child(let path): variables["orderByChild"] = .string(path.text)
        }
        if let limit { variables[limit.fromEnd ? "limitToLast" : "limitToFirst"] = .integer(Int64(limit.count)) }
        if let lower, lower == upper {
            variables["equalTo"] = lower.value.json
        } else {
            if let lower { variables["startAt"] = lower.value.json }
            if let upper { variables["endAt"] = upper.value.json }
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
