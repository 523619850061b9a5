internal import ControlAPI
internal import JSONText
internal import LocalStore
internal import SyncCore
internal import SyncModel

/// The records of a hold before and after its decision.
struct HoldChanges: Sendable {
    private struct Record {
        var key: RecordKey
        var title: String
        /// What happens to it where it reads the same afterwards.
        var words = ""
        /// What becomes of lines of it that are not applied.
        var waiting: String?
        /// What is held of it, or in quarantine, before the decision.
        var known = Waiting()
        var before: Content?
        var after: Content?
        var reply: RecordChangeReply {
            var reply = RecordChangeReply(
                key, title: title, from: before?.fields, to: after?.fields, unchanged: waiting ?? words)
            if let waiting, before != after { reply.what += ", and a line of it is \(waiting)" }
            return reply
        }
    }

    /// What waits of a record: by the numbers.
    private struct Waiting {
        var held: [HeldRecord] = []
        var quarantined: [QuarantinedItem] = []

        init() {}

        init(of key: RecordKey, in book: some RecordBook) throws {
            held = try book.held(key)
            guard try book.anyQuarantined() else { return }
            quarantined = try book.quarantined(collection: key.collection, record: key.id.description)
        }

        /// What becomes of lines that are not applied, where this is how it was before; nil where all are.
        func words(after book: some RecordBook, of key: RecordKey) throws -> String? {
            let (now, before) = (try Waiting(of: key, in: book), Set(held.map(\.number)))
            let items = Set(quarantined.map(\.number))
            var words: [String] = []
            if let held = now.held.first(where: { !before.contains($0.number) }) {
                words.append("kept in another hold (\(try book.hold(held.hold)?.word ?? ""))")
            }
            if let item = now.quarantined.first(where: { !items.contains($0.number) }) {
                words.append("put into quarantine (\(item.defect.code))")
            }
            return words.isEmpty ? nil : words.joined(separator: ", another one ")
        }
    }

    /// Those that a reply names.
    private var records: [Record]
    /// All others, and whether a reader saw them.
    private var others: [(key: RecordKey, isThere: Bool)]
    private var deletes = 0
    /// How many lines of the journal nobody can read.
    private var unreadable = 0

    var count: Int { records.count + others.count }
    var isEmpty: Bool { records.isEmpty && others.isEmpty }

    /// Notes how the records stand before the decision.
    init(of hold: Hold, approved: Bool, in transaction: Transaction, _ context: EngineContext) throws {
        let keys = try transaction.heldKeys(by: hold.number)
        records = try keys.prefix(ControlRoute.maxNamed).map { key in
            let held = try transaction.heldState(key, of: hold, context)
            return Record(
                key: key, title: held.title(context.rules(key.collection)?.titleField ?? ""),
                words: hold.kind?.rule.effect(approved: approved, on: held, of: hold) ?? "",
                known: try Waiting(of: key, in: transaction), before: held.state.view)
        }
        others = try keys.dropFirst(records.count).map { ($0, try transaction.record($0).state.view != nil) }
    }

    /// Of these records those that a decision would change, or that wait for another one then.
    ///
    /// - Parameters:
    ///   - book: how they stand after it.
    ///   - unreadable: how many lines beside those that name them nobody can read.
    init(
        among keys: [RecordKey], unreadable: Int = 0, from transaction: Transaction, to book: some RecordBook,
        _ context: EngineContext
    ) throws {
        (records, others, self.unreadable) = ([], [], unreadable)
        for key in keys {
            let (before, after) = (try transaction.record(key).state.view, try book.record(key).state.view)
            let waiting = try Waiting(of: key, in: transaction).words(after: book, of: key)
            guard before != after || waiting != nil else { continue }
            if before != nil, after == nil { deletes += 1 }
            guard records.count < ControlRoute.maxNamed else {
                others.append((key, before != nil))
                continue
            }
            let titleField = context.rules(key.collection)?.titleField ?? ""
            records.append(
                Record(
                    key: key, title: (after ?? before)?.fields[titleField]?.text ?? "", waiting: waiting,
                    before: before,
                    after: after))
        }
    }

    /// Notes how they stand after it.
    mutating func compare(with book: some RecordBook) throws {
        for index in records.indices {
            let record = records[index]
            records[index].after = try book.record(record.key).state.view
            records[index].waiting = try record.known.words(after: book, of: record.key)
        }
        deletes = records.count { $0.before != nil && $0.after == nil }
        for other in others where other.isThere {
            if try book.record(other.key).state.view == nil { deletes += 1 }
        }
    }

    func reply(dryRun: Bool, effect: String) -> DecisionReply {
        let lines = unreadable == 1 ? "a line that nobody can read goes" : "\(unreadable) lines that nobody can read go"
        return DecisionReply(
            dryRun: dryRun, effect: unreadable == 0 ? effect : "\(effect); \(lines) to quarantine", count: count,
            deletes: deletes, records: records.map(\.reply))
    }

    /// What becomes of a record; nil where it is not changed, or not among those that are named.
    func what(of key: RecordKey) -> String? { records.first { $0.key == key }?.reply.what }

    /// What a list of holds says of them.
    ///
    /// - Parameter rejection: what rejecting does to a record, in words.
    func whenApproved(else rejection: (RecordKey) -> String) -> [HeldRecordReply] {
        records.map { record in
            HeldRecordReply(
                collection: record.key.collection.name, id: record.key.id.description, title: record.title,
                what: .init(approve: "it is \(record.reply.what)", reject: rejection(record.key)))
        }
    }
}

extension RecordChangeReply {
    /// - Parameter unchanged: what happens to a record that reads the same afterwards, in words.
    init(
        _ key: RecordKey, title: String, from before: [String: JSONValue]?, to after: [String: JSONValue]?,
        unchanged: String
    ) {
        let what =
            switch (before, after) {
            case (nil, .some): "created"
            case (.some, nil): "deleted"
            default: before == after ? unchanged : "changed"
            }
        let (old, new) = (before ?? [:], after ?? [:])
        self.init(
            collection: key.collection.name, id: key.id.description, title: title, what: what,
            before: old.filter { new[$0.key] != $0.value }, after: new.filter { old[$0.key] != $0.value })
    }
}
