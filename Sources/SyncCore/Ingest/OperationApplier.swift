internal import JSONText
package import SyncModel

/// Applies journal operations to records.
package struct OperationApplier: Sendable {
    /// Which stamp the operation gets.
    package enum Stamping: Sendable {
        case line(StampPolicy.Origin)
        /// It was decided by a person just now.
        case decided
        /// It was given this one when it was first tried.
        case given(Stamp)
    }

    package var time: StampPolicy
    package let keepsTombstones: Bool
    /// What an enabled collection says; nil for any other.
    package let rules: @Sendable (CollectionID) -> CollectionRules?

    package init(
        time: StampPolicy, keepsTombstones: Bool, rules: @escaping @Sendable (CollectionID) -> CollectionRules?
    ) {
        self.time = time
        self.keepsTombstones = keepsTombstones
        self.rules = rules
        keys = KeyTemplates { rules($0)?.key }
    }

    /// What the keys of each collection are made of.
    package let keys: KeyTemplates

    /// Reads a journal line. What it says otherwise than the record's id is among its ignored keys.
    package func operation(_ line: ArraySlice<UInt8>) throws(Defect) -> Operation {
        var operation = try Operation(line: line, keys: keys)
        guard let rules = rules(operation.key.collection) else { return operation }
        for name in rules.identityNames {
            guard let said = operation.fields[name] else { continue }
            let made = rules.identityFields(operation.key.id)[name]
            // As lax as the reading of ids.
            if said == made || said.text.map({ $0.uppercased() == made?.text?.uppercased() }) ?? false { continue }
            operation.ignoredKeys.append(Operation.ignoredField + name)
        }
        return operation
    }

    package func context(_ collection: CollectionID) -> BookContext {
        context(rules(collection))
    }

    private func context(_ rules: CollectionRules?) -> BookContext {
        BookContext(
            merge: rules?.merge ?? MergeRules(), key: rules?.key ?? .uuid, keepsTombstones: keepsTombstones, time: time)
    }

    /// Applies one operation.
    ///
    /// - Parameters:
    ///   - checked: what ``checked(_:)`` gave for it.
    ///   - line: the journal line, kept with the operation and its `source` where it must wait.
    ///   - later: the numbers of what waits of the record and was read after it.
    /// - Returns: false where it waits in a hold now.
    /// - Throws: a ``Defect`` where the operation can't be applied; the caller puts it into quarantine.
    @discardableResult
    package func apply(
        _ operation: Operation, checked: Edit? = nil, _ stamping: Stamping, line: ArraySlice<UInt8>,
        from source: LineSource? = nil, before later: Set<Int64> = [], origin: Change.Origin, in book: some RecordBook
    ) throws -> Bool {
        let origin = origin == .journal ? operation.plugin.map { .plugin($0) } ?? origin : origin
        guard let rules = rules(operation.key.collection) else {
            throw Defect(notEnabled: operation.key.collection)
        }
        let context = context(rules)
        if case .line = stamping, try waits(operation, line, source, before: later, in: book, context) { return false }
        var stored = try book.record(operation.key)
        if let key = operation.keyInRemote { stored.state.remoteKey = key }
        try OperationApplier.checkAuthor(operation, stored.state, rules.key)
        // Before anything else: what is from the future waits, whether or not it could be applied now.
        guard let stamp = stamp(operation, stamping, stored.state, &book.clock) else {
            try FutureEdit.raise(for: operation, line: line, from: source, time, in: book, context)
            return false
        }
        let edit: Edit
        do {
            edit = try checked ?? self.edit(operation, stored.state, rules, lineLength: line.count)
        } catch let defect as Defect where defect.code == .unknownRecord {
            // The next one of the record gets a higher stamp, in the journal's order.
            stored.state.ownStamp = max(stored.state.ownStamp ?? stamp, stamp)
            try book.store(stored, Outcome(), origin: origin, context)
            throw UnknownRecord(defect: defect, stamp: stamp)
        }
        if stored.state.known == KnownVersion(), stored.state.remote == nil { stored.state.newInRun = book.run }
        let outcome = stored.state.edited(edit, at: stamp, rules.merge, clock: &book.clock, wall: time.stampTime)
        try book.store(stored, outcome, origin: origin, context)
        // Whether its stamps are above the horizon now is asked before it is pushed.
        if try book.anyHeld() { try book.release(operation.key, from: [.belowHorizon], context) }
        return true
    }

    /// Whether an operation can be applied, or waits for its record alone.
    package func takes(_ operation: Operation, in book: some RecordBook) throws -> Bool {
        guard let rules = rules(operation.key.collection) else { return false }
        var state = try book.record(operation.key).state
        if let key = operation.keyInRemote { state.remoteKey = key }
        do {
            try OperationApplier.checkAuthor(operation, state, rules.key)
            _ = try edit(operation, state, rules, lineLength: 0)
            return true
        } catch let defect as Defect {
            return defect.code == .unknownRecord
        }
    }

    /// Only the author writes what is an author's, where the line says who writes.
    private static func checkAuthor(
        _ operation: Operation, _ state: RecordState, _ key: KeyTemplate
    ) throws(Defect) {
        guard let person = operation.person else { return }
        let named = operation.fields[KeyTemplate.author]?.text
        let author = state.remoteKey.flatMap { key.author(of: $0) } ?? (key.hasAuthor ? named : nil)
        guard let author, author != person else { return }
        throw Defect(
            .notYours, "\(operation.key.collection) \(operation.key.id) is \(author)'s: \(person) can't change it")
    }

    /// Whether a line has no effect now: it waits behind another of its record.
    private func waits(
        _ operation: Operation, _ line: ArraySlice<UInt8>, _ source: LineSource?, before later: Set<Int64>,
        in book: some RecordBook, _ context: BookContext
    ) throws -> Bool {
        guard let waiting = try book.lastWaitingLine(of: operation.key, but: later) else { return false }
        try book.attach(operation.key, to: waiting.hold, payload: Array(line), source: source, context)
        return true
    }

    /// The edit that an operation is, where that does not depend on the record's state; nil too where it can't be applied.
    ///
    /// Takes most of the time that an operation takes, and needs no transaction.
    package func checked(_ operation: Operation) -> Edit? {
        guard operation.kind == .create, let rules = rules(operation.key.collection) else { return nil }
        return try? created(operation, rules)
    }

    private func created(_ operation: Operation, _ rules: CollectionRules) throws(Defect) -> Edit {
        let fields = try rules.validated(named(operation, rules))
        let content = Content(fields: fields)
        try OperationApplier.checkSize(content)
        return .whole(fields, content)
    }

    /// What is larger could be read by nobody.
    private static func checkSize(_ content: Content) throws(Defect) {
        guard content.text.count > Content.mostBytes else { return }
        throw Defect(
            .invalidValue, "the record would have \(content.text.count) bytes, more than 1 MiB: make its fields shorter"
        )
    }

    private func named(_ operation: Operation, _ rules: CollectionRules) -> [String: JSONValue] {
        var named = operation.fields
        // Taking out what is not there would copy the rest all the same.
        for key in rules.identityNames where named.keys.contains(key) { named[key] = nil }
        return named
    }

    /// - Parameter lineLength: in bytes; the record gets no longer by more.
    private func edit(
        _ operation: Operation, _ state: RecordState, _ rules: CollectionRules, lineLength: Int
    ) throws -> Edit {
        switch operation.kind {
        case .delete: return .delete
        case .create: return try created(operation, rules)
        case .update:
            guard let current = state.view else {
                throw Defect(.unknownRecord, "\(operation.key.collection) has no record \(operation.key.id) to update")
            }
            return try updated(operation, over: current, rules, lineLength: lineLength)
        }
    }

    private func updated(
        _ operation: Operation, over current: Content, _ rules: CollectionRules, lineLength: Int
    ) throws -> Edit {
        let named = named(operation, rules)
        for part in rules.key.parts where named[part.name].map({ $0 != current.fields[part.name] }) ?? false {
            throw Defect(
                .invalidValue,
                "\"\(part.name)\" is part of the record's key and can't change: create another record")
        }
        let checked = try rules.validated(named, over: current.fields)
        if current.text.count + lineLength > Content.mostBytes {
            try OperationApplier.checkSize(Content(fields: checked))
        }
        return .update(
            Dictionary(uniqueKeysWithValues: named.keys.map { ($0, checked[$0].flatMap(\.pruned)) }))
    }

    /// Whether an update can be applied to the record that another operation makes.
    func takes(_ operation: Operation, after create: Operation) -> Bool {
        guard let rules = rules(operation.key.collection), case .whole(_, let content)? = try? created(create, rules)
        else { return false }
        return (try? updated(operation, over: content, rules, lineLength: 0)) != nil
    }

    /// Nil where the operation is from too far in the future.
    private func stamp(
        _ operation: Operation, _ stamping: Stamping, _ state: RecordState, _ clock: inout HybridClock
    ) -> Stamp? {
        switch stamping {
        case .given(let stamp): return stamp
        case .decided: return time.now(over: state, &clock)
        case .line(let origin):
            let decided = time.stamp(at: operation.at, origin: origin, state: state, clock: &clock)
            if case .stamp(let stamp) = decided { return stamp }
            return nil
        }
    }
}

/// An update of a record that is not there, with the stamp that it keeps until the record comes.
package struct UnknownRecord: Error {
    package let defect: Defect
    package let stamp: Stamp
}

extension RecordBook {
    /// Whether a corrected line has taken the place of an operation that waits, and has had its effect.
    func isReplaced(_ mark: OperationMark?) throws -> Bool {
        try mark.map { try noted([$0, $0.waited]).count == 2 } ?? false
    }

    /// Changes a record as a person has decided.
    package func change(
        _ key: RecordKey, _ applier: OperationApplier,
        _ change: (inout RecordState, inout HybridClock, StepContext) throws -> Outcome
    ) throws {
        let context = applier.context(key.collection)
        var stored = try record(key)
        let outcome = try change(&stored.state, &clock, context.step)
        try store(stored, outcome, origin: .decision, context)
    }
}
