internal import JSONText
package import SyncModel

/// How versions of a collection's records are merged (`docs/protocol.md` section 4).
package struct MergeRules: Hashable, Sendable {
    /// What a create leaves the fields at that it does not name: a value that nobody chose, and that loses to any other.
    package var defaults: [String: JSONValue]
    /// The fields that are merged by another rule than the last write.
    package var fields: [String: FieldRule]
    /// `merge: record`: all fields carry the version's stamp, so the later version wins whole.
    package var byRecord: Bool

    package init(defaults: [String: JSONValue] = [:], fields: [String: FieldRule] = [:], byRecord: Bool = false) {
        self.defaults = byRecord ? [:] : defaults
        self.fields = byRecord ? [:] : fields.filter { $0.value != .last }
        self.byRecord = byRecord
    }

    /// These fields, the members of sets in their order (``SetMerge/inOrder(_:)``).
    func inOrder(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        var ordered = fields
        for (name, rule) in self.fields where rule == .set { ordered[name] = fields[name].map(SetMerge.inOrder) }
        return ordered
    }

    /// Checks that every field is what its rule can merge, and gives the fields back.
    ///
    /// - Parameter isStamped: whether its members have their stamps already, so that each of them had room for one.
    func checked(_ fields: [String: JSONValue], isStamped: Bool = false) throws(Defect) -> [String: JSONValue] {
        for (name, rule) in self.fields where rule == .set {
            guard let value = fields[name] else { continue }
            guard SetMerge.isSet(value) else {
                throw Defect(
                    .invalidValue,
                    "\"\(name)\" is \(value.kind), but must be a list of texts such as [\"a\"], or of trues such as {\"a\": true}"
                )
            }
            guard !isStamped, let long = SetMerge.tooLong(in: value) else { continue }
            throw Defect(
                .invalidValue,
                "\"\(name)\" has the member \"\(long.prefix(40))\", of which a key would have \(FieldRules.bytesAsKey(long)) bytes, more than \(FieldRules.mostKeyBytes)"
            )
        }
        return fields
    }
}

extension FieldStamps {
    /// The stamp of the field `name`, whose value is `value`.
    package func stamp(of name: String, value: JSONValue?, _ rules: MergeRules) -> Stamp {
        named[name] ?? implied(name, value, rules)
    }

    /// The stamp of a member of the set `name`, whose own stamp is `own`, whether it is there or not.
    func stamp(ofMember member: String, of name: String, else own: Stamp) -> Stamp {
        named[FieldStamps.member(member, of: name)] ?? own
    }

    /// The stamp of the edit that made a field what it is: of a set, of the last that added or removed a member.
    ///
    /// - Parameter old: what the field was before; nil to look at all members.
    package func latest(
        of name: String, from old: JSONValue? = nil, to new: JSONValue?, _ rules: MergeRules
    ) -> Stamp {
        let own = stamp(of: name, value: new, rules)
        guard rules.fields[name] == .set else { return own }
        if old == nil {
            return named.filter { FieldStamps.parts(of: $0.key)?.field == name[...] }.values.reduce(own, max)
        }
        let changed = SetMerge.members(of: new).symmetricDifference(SetMerge.members(of: old))
        return changed.map { stamp(ofMember: $0, of: name, else: own) }.max() ?? own
    }

    /// The stamp that a field has where none is named for it.
    func implied(_ name: String, _ value: JSONValue?, _ rules: MergeRules) -> Stamp {
        if let value, rules.defaults[name] == value { return .zero }
        return common
    }

    /// Gives edits' stamps to what they change: of a set to the members that are added and removed, while the field keeps its
    /// own.
    ///
    /// - Parameter edits: the stamps of the fields that are changed, by their names.
    mutating func edit(
        _ edits: [String: Stamp], from old: [String: JSONValue], to new: [String: JSONValue], _ rules: MergeRules
    ) {
        // An edit is of the whole field, and of all members that others know of it.
        let members = named.keys.filter { name in
            guard let field = FieldStamps.parts(of: name)?.field else { return false }
            return edits[String(field)] != nil && rules.fields[String(field)] != .set
        }
        for member in members { named[member] = nil }
        for (name, stamp) in edits {
            guard rules.fields[name] == .set else {
                set(name, stamp, value: new[name], rules)
                continue
            }
            for member in SetMerge.members(of: new[name]).symmetricDifference(SetMerge.members(of: old[name])) {
                named[FieldStamps.member(member, of: name)] = stamp
            }
        }
    }

    /// Names the field's stamp where it is not the implied one.
    mutating func set(_ name: String, _ stamp: Stamp, value: JSONValue?, _ rules: MergeRules) {
        named[name] = stamp == implied(name, value, rules) ? nil : stamp
    }

    /// The name of no field, with whose stamp a person's decision that a record stays is above any delete.
    package static let decision = "_kept"
}
