internal import JSONText
internal import SyncModel

/// What apps write over versions of ours, whose stamps they leave where they are.
extension RecordState {
    /// What an app wrote with a stamp of ours that it had read before: the base's stamp, or an older one, with new content.
    ///
    /// Of a body with an older stamp only those fields are the app's that show another value than the version of that stamp.
    /// Where this node does not know it, those that no edit known here can have set to this value: they show another one
    /// than what is known with that very stamp, or a higher one. What is known as nobody's choice tells nothing of a higher
    /// one; else that is the stamp of an edit that this node has never seen. Numbers that are merged by a rule of their own
    /// are the app's beside others where that rule lets them count; of a set it is what differs from the version of that stamp.
    func foreignBody(of version: AdmittedVersion, _ past: [Content], _ rules: MergeRules) -> ForeignBody? {
        guard isNoLater(version), let last = remote?.newestStamp else { return nil }
        var body = ForeignBody(named: version.carefully ?? version.content.fields, isComplete: false)
        if version.stamp == last { return body }
        guard let live = known.live else { return nil }
        body.seen = version.stamp
        body.isOfUnknown = past.isEmpty
        let values = live.content.fields
        let past = past.map(\.fields)
        var written: [String: JSONValue] = [:]
        // Numbers that count by their own rule count whenever they were written, beside what else is the app's.
        var ruled: [String: JSONValue] = [:]
        for (name, value) in body.named where values[name] != value {
            if let read = past.first {
                guard !past.contains(where: { ($0[name] ?? rules.defaults[name]) == value }) else { continue }
                written[name] = value
                if rules.fields[name] == .set { body.setsRead.updateValue(read[name], forKey: name) }
                continue
            }
            if let rule = rules.fields[name] {
                if rule != .set, rule.admits(value, after: values[name]) { ruled[name] = value }
                continue
            }
            let shown = version.fieldStamps.stamp(of: name, value: value, rules)
            let known = live.stamps.stamp(of: name, value: values[name], rules)
            guard shown != .zero, shown >= known else { continue }
            written[name] = value
            if shown > known, known != .zero { body.unseen[name] = shown.rightAfter }
        }
        body.written = written.merging(ruled) { written, _ in written }
        return written.isEmpty ? nil : body
    }

    /// Whether an app may have written a version that carries a stamp of ours: the base's with other content, an older one, or
    /// a later one that an app has written over.
    func mayBeAltered(_ version: AdmittedVersion, _ rules: MergeRules) -> Bool {
        isNoLater(version) || !alteredFields(of: version, rules).isEmpty
    }

    /// Whether it is an older version than the base's, or that with other content.
    private func isNoLater(_ version: AdmittedVersion) -> Bool {
        guard let remote, let last = remote.newestStamp, version.stamp <= last else { return false }
        return version.stamp < last || remote.stamp != last || remote.content != version.content
    }

    /// The fields that an app has written over in a version above the base, with what their author had set: their very stamp
    /// is known here with that value, and a stamp is given once. Two restored states may give one to two lines of unknown time,
    /// and what is derived gets one that may be another's: that tells nothing.
    func alteredFields(of version: AdmittedVersion, _ rules: MergeRules) -> [String: JSONValue] {
        if let last = remote?.newestStamp, version.stamp <= last { return [:] }
        // Also what was deleted here is known still, field by field; and what the remote held where it was edited since.
        let sources = [remote?.stamped, known.fields].compactMap(\.self)
        return sources.reduce(into: [:]) { altered, source in
            altered.merge(alteredFields(of: version, since: source, rules)) { _, known in known }
        }
    }

    private func alteredFields(
        of version: AdmittedVersion, since source: StampedContent, _ rules: MergeRules
    ) -> [String: JSONValue] {
        guard source.content != version.content else { return [:] }
        let shownStamps = rules.byRecord ? FieldStamps(version.stamp) : version.fieldStamps
        let written = version.content.fields
        return source.content.fields.filter { name, value in
            guard rules.fields[name] == nil, let shown = written[name], shown != value else { return false }
            let stamp = shownStamps.named[name] ?? shownStamps.common
            guard stamp == source.stamps.named[name] ?? source.stamps.common else { return false }
            // What nobody has chosen is the default: anything else is an app's.
            return stamp.isGivenOnce || (stamp == .zero && rules.defaults[name] == value)
        }
    }

    /// What an app wrote over a version that was not seen before: the version as its author wrote it, and then what is the
    /// app's.
    mutating func readAltered(
        _ version: AdmittedVersion, _ altered: [String: JSONValue], _ etag: String?, _ sent: [StampedContent],
        clock: inout HybridClock, _ context: StepContext
    ) -> Outcome {
        let before = view
        var outcome = readStamped(version.written(with: altered), nil, clock: &clock, context)
        guard let body = foreignBody(of: version, [], context.rules) else { return outcome }
        let second = readForeign(body, etag, sent, clock: &clock, context)
        outcome.conflicts += second.conflicts
        outcome.shownAgain = second.shownAgain
        outcome.change = nil
        outcome.before = nil
        outcome.noteChange(from: before, to: view)
        return outcome
    }
}

extension Stamp {
    /// Above the edit with this stamp, and below every later one; what is derived already stays what it is.
    fileprivate var rightAfter: Stamp { isCountedUp ? self : successor }

    /// Whether only one edit can have got it: by a clock, at a known time.
    fileprivate var isGivenOnce: Bool { counter.isMultiple(of: 2) && self >= .earliestKnownTime }
}
