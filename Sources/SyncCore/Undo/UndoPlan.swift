internal import JSONText
package import SyncModel

/// What a record would be without some of its changes: they are taken back one by one, the latest first, each where
/// nobody has changed the same since.
package struct UndoPlan: Hashable, Sendable {
    /// What a reader sees now; nil where there is no record.
    package let current: [String: JSONValue]?
    /// What it would be.
    package private(set) var target: [String: JSONValue]?
    /// Fields, or `""` for the record as a whole, that stay as they are, with the reason: a few words for people.
    package private(set) var left: [String: String] = [:]
    /// What somebody has done since the changes that are still to be taken back, and that stays: to these fields, and to the
    /// record as a whole. A value that is the same again was still set by somebody.
    private var touched: Set<String> = []
    private var isTouchedAsWhole = false
    /// The fields of which the latest change was looked at.
    private var looked: Set<String> = []

    /// Leaves everything as it is.
    ///
    /// - Parameter reason: why; nil where there was nothing to take back.
    package init(leaving current: [String: JSONValue]?, _ reason: String? = nil) {
        self.current = current
        target = current
        if let reason { left[""] = reason }
    }

    /// - Parameters:
    ///   - changes: those of the record from the beginning of the span until now, oldest first.
    ///   - isInSpan: whether what was done at a time, in milliseconds since 1970, is to be taken back.
    ///   - isWanted: whether what this author did is taken back.
    ///   - rules: those of the record's collection.
    package init(
        _ state: RecordState, without changes: [Change], in isInSpan: (UInt64) -> Bool = { _ in true },
        by isWanted: (ChangePast.Author) -> Bool, _ rules: MergeRules
    ) {
        self.init(leaving: state.view?.fields)
        for change in changes.reversed() {
            let fields = rules.inOrder(change.version.content?.fields ?? [:])
            noteSetAgain(since: change, state, rules) { isInSpan($0.physical) && isWanted(.node($0.node)) }
            let isInSpan = isInSpan(change.at)
            switch change.kind {
            case .create where isInSpan && isWanted(change.author()): takeBackCreate(fields, rules)
            case .delete where isInSpan && isWanted(change.author()): takeBackDelete(change)
            case .create, .delete: isTouchedAsWhole = true
            case .update: takeBackUpdate(change, { isInSpan && isWanted($0) }, fields, rules)
            }
        }
        // Beneath a delete, too, numbers that count by their own rule do so still.
        leaveWhatRulesKeep(current ?? state.known.fields?.content.fields, rules)
        // A field that was left, and then went with the record, is no matter any more.
        if target == nil { left = left.filter { $0.key.isEmpty } }
    }

    /// The edit that makes ``target`` of ``current``; nil where they are equal.
    package var edit: Edit? {
        guard let target else { return current == nil ? nil : .delete }
        guard let current else { return .create(target) }
        var changes: [String: JSONValue?] = [:]
        for name in Set(current.keys).union(target.keys) where current[name] != target[name] {
            changes.updateValue(target[name], forKey: name)
        }
        return changes.isEmpty ? nil : .update(changes)
    }

    package var deletes: Bool { current != nil && target == nil }

    /// A number that its rule puts back at once can't be taken back.
    private mutating func leaveWhatRulesKeep(_ known: [String: JSONValue]?, _ rules: MergeRules) {
        guard let known, let wanted = target else { return }
        for (name, rule) in rules.fields where wanted[name] != known[name] {
            guard !rule.admits(wanted[name], after: known[name]) else { continue }
            target?[name] = known[name]
            left[name] = "its rule is \(rule.rawValue)"
        }
    }

    /// Notes what somebody has set again, to the value that it had: that is no change, and tells by its stamp.
    ///
    /// - Parameter isTakenBack: whether an edit with this stamp is itself to be taken back.
    private mutating func noteSetAgain(
        since change: Change, _ state: RecordState, _ rules: MergeRules, _ isTakenBack: (Stamp) -> Bool
    ) {
        let set = change.kind == .update ? change.past?.was : change.version.content?.fields
        for name in (set ?? [:]).keys where looked.insert(name).inserted {
            if let stamp = state.stampOfEdit(of: name, since: change, rules), !isTakenBack(stamp) {
                touched.insert(name)
            }
        }
    }

    private mutating func takeBackCreate(_ created: [String: JSONValue], _ rules: MergeRules) {
        guard let now = target else { return }
        guard rules.inOrder(now) == created, touched.isEmpty, !isTouchedAsWhole else {
            left[""] = "it was changed since it was created"
            return
        }
        target = nil
    }

    private mutating func takeBackDelete(_ change: Change) {
        guard let past = change.past else {
            left[""] = "what it was before is not known"
            return
        }
        guard target == nil, !isTouchedAsWhole else {
            left[""] = target == nil ? "it was deleted again since" : "it was created anew since it was deleted"
            return
        }
        target = past.was
    }

    private mutating func takeBackUpdate(
        _ change: Change, _ isWanted: (ChangePast.Author) -> Bool, _ after: [String: JSONValue], _ rules: MergeRules
    ) {
        guard let past = change.past else {
            if isWanted(change.author()) { left[""] = "what it was before is not known" }
            return
        }
        let (was, current) = (rules.inOrder(past.was), rules.inOrder(target ?? [:]))
        for (name, value) in was where value != after[name] ?? .null {
            guard isWanted(change.author(of: name)) else {
                touched.insert(name)
                continue
            }
            guard target != nil else {
                left[""] = "it was deleted since"
                continue
            }
            guard current[name] == after[name], !touched.contains(name), !isTouchedAsWhole else {
                left[name] = "changed since"
                continue
            }
            if value == .null { target?.removeValue(forKey: name) } else { target?[name] = value }
        }
    }
}

extension RecordState {
    /// The stamp of a node's edit of a field that is later than a change of it by a node; nil where there is none. What an app
    /// writes is dated by every node that notices, and with one stamp for the record, or for all who count up a number, it
    /// tells nothing.
    fileprivate func stampOfEdit(of name: String, since change: Change, _ rules: MergeRules) -> Stamp? {
        guard !rules.byRecord, rules.fields[name] == nil, observed?.stamp(of: name) == nil, let live = known.live,
            let set = change.stamp, change.author(of: name) != .app
        else { return nil }
        let stamp = live.stamps.stamp(of: name, value: live.content.fields[name], rules)
        return stamp > set ? stamp : nil
    }
}
