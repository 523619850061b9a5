internal import FirebaseWire
internal import JSONText
internal import SyncCore
internal import SyncModel

/// An app without stamps, as real ones behave: whole records from a copy that may be old, hard deletes, odd spellings.
final class ForeignApp {
    /// What an app does to a record.
    package enum Act: String, CaseIterable, Hashable, Sendable {
        /// Reads everything.
        case refresh
        /// Writes the record whole, from its copy, with one field changed.
        case edit
        /// The same with all the keys that it has read, stamps included.
        case editWithStamps
        case patch
        case delete
        /// Writes what it knows of the record, whether or not it was deleted since.
        case putBack
        case oddBool
        case noIdentifier
        case lowerCase
        /// Begins to move the record: writes it, as it is, under its lower-case key.
        case copyKey
        /// Ends that: removes its upper-case key.
        case leaveKey
        /// Writes a body that no node can read.
        case unreadable
        /// Writes below a record what no node can read, so that its stamp stays.
        case spoil
        /// Writes one record in the place of all.
        case rootPut
        /// Writes, from its copy, all records whose keys begin as this one's does.
        case putGroup
        case deleteGroup
        /// Writes a mere value in the place of such records.
        case spoilGroup
        /// Deletes nearly all that it knows of, one after the other.
        case deleteMost
    }

    let index: Int
    private let rules: CollectionRules
    private let records: SimulatedRecords
    private let database: SimulatedDatabase
    private let history: EditHistory
    /// What it knows: the key and the body of each record.
    private var copy: [RecordID: (key: String, body: [String: JSONValue])] = [:]
    private var random: SimulatedRandom

    init(
        _ index: Int, _ rules: CollectionRules, _ records: SimulatedRecords, _ database: SimulatedDatabase,
        _ history: EditHistory, _ random: SimulatedRandom
    ) {
        self.index = index
        self.rules = rules
        self.records = records
        self.database = database
        self.history = history
        self.random = random
    }

    private var place: WirePath { SimulatedDatabase.path(of: .records(SimulatedFilms.id)) }

    /// Does something; `number` makes its values its own. Gives what it has done, in words.
    func act(_ act: Act, on id: RecordID, number: Int, now: UInt64) -> String {
        if act == .refresh || copy.isEmpty { refresh() }
        let saw = copy[id]?.body["title"]
        let path = path(copy[id]?.key ?? records.key(of: id))
        var body = body(of: id, number, withStamps: act == .editWithStamps)
        switch act {
        case .refresh: return "reads all"
        case .patch: return patch(id, path, saw, number, now)
        case .spoil: return spoil(id, path, now)
        case .delete: return write(nil, at: path, saw, id, now)
        case .rootPut: return write(body, at: place, saw, id, now)
        case .putGroup, .deleteGroup, .spoilGroup: return change(act, groupOf: id, number, now)
        case .deleteMost: return deleteMost(but: id, now)
        case .copyKey: return copyKey(of: id, now)
        case .leaveKey:
            history.moves.current = id
            return carryOut(.init(path: self.path(id.description), body: nil), "leaves \(id.short)", now)
        case .unreadable:
            // Nobody makes up the random id that a node is about to write for the first time.
            guard copy[id] != nil else { return "knows nothing to spoil" }
            body["title"] = .string("a\(number)")
            body["hasWatched"] = .string("no idea")
        case .putBack: break
        case .edit, .editWithStamps:
            if random.chance(60) {
                body["title"] = .string("a\(number)")
            } else {
                body["hasWatched"] = .bool(!(body["hasWatched"]?.truth ?? false))
            }
        case .oddBool:
            let odd: JSONValue = random.pick([.integer(1), .integer(0), .string("true"), .string("no idea"), .null])
            // Likewise.
            if odd == "no idea", copy[id] == nil { return "knows nothing to spoil" }
            body["hasWatched"] = odd
        case .noIdentifier: body["identifier"] = nil
        case .lowerCase:
            body["title"] = .string("a\(number)")
            return write(body, at: self.path(id.description.lowercased()), saw, id, now)
        }
        return write(body, at: path, saw, id, now)
    }

    /// The record as the app writes it: what it does not know it drops.
    private func body(of id: RecordID, _ number: Int, withStamps: Bool) -> [String: JSONValue] {
        var body = copy[id]?.body ?? [:]
        if !withStamps { body = body.filter { ["identifier", "title", "hasWatched"].contains($0.key) } }
        if body["title"] == nil { body["title"] = .string("a\(number)") }
        if body["hasWatched"] == nil { body["hasWatched"] = false }
        body.merge(rules.identityFields(id)) { _, named in named }
        return body
    }

    /// Reads all records.
    func refresh() {
        copy = [:]
        for key in database.keys(in: .records(SimulatedFilms.id)) {
            guard let id = rules.recordID(of: key), case .object(let body) = database.value(at: path(key)) else {
                continue
            }
            copy[id] = (key, body)
        }
    }

    private func patch(_ id: RecordID, _ path: WirePath, _ saw: JSONValue?, _ number: Int, _ now: UInt64) -> String {
        guard database.value(at: path) != .null else { return "has nothing to change" }
        let title = JSONValue.string("a\(number)")
        history.appWrites(id, ["title": title], saw: saw)
        copy[id]?.body["title"] = title
        let field = SimulatedDatabase.Change(
            path: path.appending(WireKey(unchecked: "title")), body: JSONWriter.text(title))
        return carryOut(field, "patches \(path) title a\(number)", now)
    }

    private func spoil(_ id: RecordID, _ path: WirePath, _ now: UInt64) -> String {
        guard copy[id] != nil, database.value(at: path) != .null else { return "knows nothing to spoil" }
        let field = SimulatedDatabase.Change(
            path: path.appending(WireKey(unchecked: "hasWatched")), body: JSONWriter.text("no idea"))
        return carryOut(field, "spoils \(path)", now)
    }

    private func write(
        _ body: [String: JSONValue]?, at path: WirePath, _ saw: JSONValue?, _ id: RecordID, _ now: UInt64
    ) -> String {
        let text = body.map { JSONWriter.text(.object($0)) }
        if let body {
            if let title = body["title"], title != saw { history.appWrites(id, ["title": title], saw: saw) }
            if path != place { copy[id] = (place.relative(path)?.text ?? records.key(of: id), body) }
        } else {
            copy[id] = nil
        }
        let words = text.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
        return carryOut(.init(path: path, body: text), "puts \(words) at \(path)", now)
    }

    private func copyKey(of id: RecordID, _ now: UInt64) -> String {
        guard case .object(let body) = database.value(at: path(id.description)) else { return "has nothing to move" }
        let key = id.description.lowercased()
        copy[id] = (key, body)
        return carryOut(.init(path: path(key), body: JSONWriter.text(.object(body))), "copies \(id.short)", now)
    }

    private func deleteMost(but spared: RecordID, _ now: UInt64) -> String {
        refresh()
        let doomed = copy.filter { $0.key != spared }.sorted { $0.key < $1.key }
        for (id, known) in doomed {
            _ = write(nil, at: path(known.key), nil, id, now)
        }
        return "deletes \(doomed.count) records"
    }

    /// Does something with all records whose keys begin alike, in one write.
    private func change(_ act: Act, groupOf id: RecordID, _ number: Int, _ now: UInt64) -> String {
        guard let group = records.key(of: id).split(separator: "/").first else { return "finds no group" }
        var known = copy.filter { $0.value.key.hasPrefix("\(group)/") }
        for id in known.keys { copy[id] = nil }
        let body: JSONValue?
        switch act {
        case .putGroup:
            let saw = known[id]?.body["title"]
            let title = JSONValue.string("a\(number)")
            known[id]?.body["title"] = title
            if known[id] != nil { history.appWrites(id, ["title": title], saw: saw) }
            copy.merge(known) { $1 }
            body = .object(
                Dictionary(
                    uniqueKeysWithValues: known.values.map {
                        (String($0.key.dropFirst(group.count + 1)), .object($0.body))
                    }))
        case .spoilGroup: body = "oops"
        default: body = nil
        }
        let text = body.map { JSONWriter.text($0) }
        return carryOut(.init(path: path(String(group)), body: text), "\(act) \(group)", now)
    }

    private func path(_ key: String) -> WirePath {
        SimulatedDatabase.path(of: key, in: .records(SimulatedFilms.id))
    }

    private func carryOut(_ change: SimulatedDatabase.Change, _ words: String, _ now: UInt64) -> String {
        defer { history.appIsDone() }
        do {
            try database.write([change], by: .app(index), now: now)
            return words
        } catch {
            return "\(words): \(error)"
        }
    }
}

extension RecordID {
    /// The first digits, for people.
    var short: String { String(description.prefix(8)) }
}
