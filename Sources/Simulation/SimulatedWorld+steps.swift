internal import DatabaseTree
internal import FirebaseWire
internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

extension SimulatedWorld {
    func perform(_ step: SimulatedStep) {
        if step.act.isTrouble { waiveMoves() }
        switch step.act {
        case .edit(let node, let record, let choice, let age):
            append(edit(of: ids[record], step.number, choice, age, on: node), to: nodes[node])
        case .app(let app, let record, let act):
            guard apps.indices.contains(app) else { return }
            perform(act, of: app, on: ids[record], number: step.number)
        case .weather(let node, let fault, let duration):
            nodes[node].network.weather.begin(fault, until: timeline.now + duration)
            nodes[node].suffer(fault)
        case .crash(let node, let effects): nodes[node].crashIn = effects
        case .stop(let node, let duration): nodes[node].crash(restartAfter: duration)
        case .clock(let node, let skew):
            nodes[node].skew = skew
            checks.greatestSkew = max(checks.greatestSkew, skew.magnitude)
            if skew.magnitude > 45_000 { checks.wrongClocks.insert(node) }
        case .backup(let node):
            nodes[node].backup = try? StateInMemory(copying: nodes[node].state)
            nodes[node].backupAt = timeline.now
        case .restore(let node): restore(nodes[node])
        case .clone(let node, let other): clone(nodes[node], as: nodes[other])
        case .copyDatabase: databaseCopy = database.root
        case .setDatabaseBack(let inView): setDatabaseBack(inView: inView)
        case .journal(let node, let fault): harm(nodes[node], fault)
        case .decide(let node, let approve): decide(on: nodes[node], approve: approve)
        case .retry(let node): nodes[node].retryQuarantined()
        case .undo(let node, let span): nodes[node].undo(since: span)
        case .drop(let node): nodes[node].dropQuarantined()
        case .verify(let node, let repair): nodes[node].verify(repair: repair)
        case .pause(let node, let duration): pause(nodes[node], duration)
        case .calm: for node in nodes { node.network.weather.clear() }
        }
    }

    // MARK: Edits

    /// What a program writes that knows what its node shows.
    private func edit(of id: RecordID, _ number: Int, _ choice: Int, _ age: Int?, on node: Int) -> Operation {
        let view = history.views[node]?[id]
        let isThere = view != nil
        let key = RecordKey(rules.id, id)
        let at = age.map { UInt64(Int64(nodes[node].wall) - Int64($0)) }
        let opID = choice % 5 == 0 ? "op\(number)" : nil
        if choice < 18, isThere { return Operation(.delete, key, at: at, opID: opID) }
        if !isThere && choice < 90 || choice > 93 {
            var fields: [String: JSONValue] = ["title": .string("e\(number)")]
            if number.isMultiple(of: 2) { fields["note"] = .string("n\(number)") }
            if number.isMultiple(of: 3) { fields["hasWatched"] = .bool(number.isMultiple(of: 2)) }
            if number.isMultiple(of: 5) { fields[SimulatedFilms.set] = tags(number, among: []) }
            return Operation(.create, key, fields: fields, at: at, opID: opID)
        }
        return Operation(.update, key, fields: changes(number, choice, view ?? [:]), at: at, opID: opID)
    }

    private func changes(_ number: Int, _ choice: Int, _ shown: [String: JSONValue]) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        if choice.isMultiple(of: 2) { fields["title"] = .string("e\(number)") }
        if choice.isMultiple(of: 3) { fields["note"] = choice.isMultiple(of: 9) ? .null : .string("n\(number)") }
        if choice.isMultiple(of: 5) { fields["year"] = .integer(Int64(number)) }
        if choice % 4 == 1 { fields["hasWatched"] = .bool(choice.isMultiple(of: 3)) }
        if choice % 7 == 3 { fields["plays"] = .integer(Int64(number % 20)) }
        if choice % 7 == 5 { fields[SimulatedFilms.set] = tags(number, among: SimulatedFilms.members(shown)) }
        // A value of its own tells when the field was removed.
        if fields.isEmpty || fields["note"] == .null { fields["title"] = .string("e\(number)") }
        return fields
    }

    /// What is there, now and then without one of it, and a member of its own.
    private func tags(_ number: Int, among shown: [String]) -> JSONValue {
        var members = shown
        if number.isMultiple(of: 2), !members.isEmpty { members.remove(at: number % members.count) }
        members.append(["t\(number)-", "_\(number).", "t/\(number)$"][number % 3])
        return .array(members.map { .string($0) })
    }

    private func append(_ operation: Operation, to node: SimulatedNode) {
        var members: [String: JSONValue] = [
            "op": .string(operation.kind.rawValue), "id": .string(records.key(of: operation.key.id)),
        ]
        if operation.kind != .delete { members["fields"] = .object(operation.fields) }
        if let at = operation.at { members["at"] = .string(RFC3339.text(at)) }
        if let opID = operation.opID { members["opID"] = .string(opID) }
        let line = JSONWriter.text(.object(members)) + [UInt8(ascii: "\n")]
        tell("node\(node.index) journal: " + String(decoding: line.dropLast(), as: UTF8.self))
        history.appended(node.index, operation, now: timeline.now)
        guard node.tearsNextLine else {
            node.journal.append(line, at: node.moment)
            return node.readJournal()
        }
        node.tearsNextLine = false
        let middle = line.count / 2
        node.journal.append(Array(line[..<middle]), at: node.moment)
        node.readJournal()
        node.journal.append(Array(line[middle...]), at: node.moment)
        timeline.after(3000) { node.readJournal() }
    }

    // MARK: Faults

    private func restore(_ node: SimulatedNode) {
        guard let backup = node.backup, let copy = try? StateInMemory(copying: backup) else { return }
        node.crash(restartAfter: nil)
        node.state = copy
        node.identity += "'"
        node.wasRestored = true
        history.views[node.index] = nil
        history.wentBack(node.index, to: node.backupAt, isSent: isSent)
        if node.journal.wasCut {
            history.waive("restored, and the journal was cut") { $0.author == .node(node.index) && $0.remoteAt == nil }
        }
        tell("node\(node.index) goes back to an old state")
        timeline.after(1000) { node.start() }
    }

    private func clone(_ node: SimulatedNode, as other: SimulatedNode) {
        guard node !== other, let copy = try? StateInMemory(copying: node.state) else { return }
        other.crash(restartAfter: nil)
        other.state = copy
        other.identity = node.identity
        other.journal = node.journal
        other.backup = nil
        hasTwins = true
        history.views[other.index] = history.views[node.index]
        tell("node\(other.index) is a copy of node\(node.index)")
        timeline.after(1000) { other.start() }
    }

    private func harm(_ node: SimulatedNode, _ fault: Fault) {
        tell("node\(node.index) journal: \(fault.rawValue)")
        switch fault {
        case .journalTorn: node.tearsNextLine = true
        case .journalRotated: node.journal.rotate()
        case .journalTruncated:
            node.journal.truncate()
            history.waive("cut from the journal") { $0.author == .node(node.index) && $0.stamp == nil }
        case .journalRewritten: node.journal.rewrite(at: node.moment)
        default: break
        }
        node.readJournal()
    }

    private func pause(_ node: SimulatedNode, _ duration: UInt64) {
        node.take([.paused([.push])])
        let life = node.epoch
        timeline.after(duration) { if node.epoch == life { node.take([.paused([]), .retryNow]) } }
    }

    /// A person decides the oldest hold of a node.
    func decide(on node: SimulatedNode, approve: Bool) {
        guard node.isUp, let hold = node.glimpse.holds.first(where: { $0.kind != .clockWrong }) else { return }
        let held = node.glimpse.held.filter { $0.hold == hold.number }
        if hold.kind == .belowHorizon {
            for record in held { history.longGone(record.key.id, on: node.index, isKept: approve, now: timeline.now) }
        } else if !approve {
            for record in held {
                history.confirmed(record.key.id, now: timeline.now)
                let text = record.payload.map { String(decoding: $0, as: UTF8.self) } ?? ""
                history.waive("rejected") { $0.id == record.key.id && text.contains($0.name) }
            }
            if hold.kind == .journalRewritten { history.goesOnBehind(node.index) }
        }
        let isDisappearance = hold.kind.map(CollectionMachine.disappearances.contains) ?? false
        history.isApproving = approve && hold.direction == .pull && isDisappearance
        node.decide(hold, approved: approve)
        history.isApproving = false
        guard !approve || hold.kind == .belowHorizon else { return }
        for record in held {
            if let stamp = node.stamp(of: record.key) { history.kept(record.key.id, at: stamp) }
        }
    }

    // MARK: The remote

    /// Tells the history how a write has changed the records.
    func noteRemote(_ writer: SimulatedDatabase.Writer, before: Root, after: Root) {
        let node: Int? = if case .node(let index) = writer { index } else { nil }
        let byApp = node == nil
        for id in ids {
            for key in records.keys(of: id) {
                let path = SimulatedDatabase.path(of: key, in: .records(rules.id))
                let old = SimulatedDatabase.value(before.value(at: path)).members ?? [:]
                let new = SimulatedDatabase.value(after.value(at: path)).members ?? [:]
                guard old != new else { continue }
                tell(
                    "remote \(key.prefix(8)) by \(writer.name): \(String(decoding: JSONWriter.text(.object(new)), as: UTF8.self))"
                )
                if history.moves.current == id { continue }
                // Where the other key still stands the record is there.
                let isGone = new.isEmpty && !isThere(id, after)
                if new.isEmpty, !isGone { history.moves.oneKeyIsLeft(of: id, now: timeline.now) }
                if isGone || !byApp || !new.isEmpty {
                    let wasRestored = node.map { nodes[$0].wasRestored } ?? false
                    history.remoteChanged(id, by: node, wasRestored: wasRestored, old, new, now: timeline.now)
                } else {
                    history.keyWasRemoved(id, old, now: timeline.now)
                }
                checks.noteVersion(id, new)
                if settings.faults.isEmpty, !byApp, !isReadable(id, old) {
                    report(.edits, "\(writer.name) writes over what nobody can read of \(id.short)")
                }
            }
        }
        noteTombstones(writer, before: before, after: after)
        checks.noteProgress()
    }

    private func isReadable(_ id: RecordID, _ body: [String: JSONValue]) -> Bool {
        if body.isEmpty { return true }
        let entry = EntrySpelling.entry(id.description, .object(body), in: .records(rules.id))
        return SimulatedFilms.isReadable(entry)
    }
}

extension EditHistory.Edit {
    /// Its value, or the member that it adds, as it stands in a journal line.
    var name: String {
        let prefix = FieldStamps.member("", of: SimulatedFilms.set)
        return field.hasPrefix(prefix) ? String(field.dropFirst(prefix.count)) : JSONWriter.string(value)
    }
}
