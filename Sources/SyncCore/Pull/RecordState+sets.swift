internal import JSONText
internal import SyncModel

/// What apps write where members of a set were added or removed that they can't have seen.
extension RecordState {
    /// Merges those sets of a body by their members: what the app has added and removed since it read the record is known from
    /// now on, beside what it had not seen. Its stamp is one that is derived, as it is no edit of this node's.
    ///
    /// - Returns: the body's other fields.
    mutating func mergeSets(
        of body: ForeignBody, _ before: RecordState, clock: inout HybridClock, _ context: StepContext
    ) -> ForeignBody {
        let rules = context.rules
        guard rules.fields.values.contains(.set), var live = known.live else { return body }
        let shown = Content(fields: body.written ?? body.named).fields
        let (base, values) = (before.remote?.content.fields ?? [:], live.content.fields)
        var merged: [String: JSONValue?] = [:]
        for (name, value) in shown where rules.fields[name] == .set && values[name] != value {
            if let read = body.setsRead[name] {
                merged.updateValue(SetMerge.changed(values[name], from: read, to: value), forKey: name)
            } else if before.observed?.stamp(of: name) == nil, SetMerge.differ(values[name], base[name]) {
                merged.updateValue(SetMerge.changed(values[name], from: base[name], to: value), forKey: name)
            }
        }
        guard !merged.isEmpty else { return body }
        let stamp = clock.now(wall: context.wall).successor
        clock.receive(stamp)
        var fields = values
        for (name, value) in merged { fields[name] = value }
        live.stamps.edit(merged.mapValues { _ in stamp }, from: values, to: fields, rules)
        known.fields = StampedContent(Content(fields: fields), live.stamps)
        return body.without(merged.keys)
    }
}
