internal import JSONText
package import SyncModel

extension RecordBook {
    /// Makes the edits of plans, stamped now; deletes of which a collection would lose too many wait.
    ///
    /// - Parameter braked: the collections of which too many would be deleted (``OwnDeletes``).
    /// - Returns: the numbers of the holds in which deletes wait.
    package func carryOut(
        _ plans: [(key: RecordKey, plan: UndoPlan)], holdingDeletesOf braked: Set<CollectionID>,
        _ applier: OperationApplier
    ) throws -> Set<Int64> {
        var held: [CollectionID: [RecordKey]] = [:]
        for (key, plan) in plans {
            if plan.deletes, braked.contains(key.collection) {
                held[key.collection, default: []].append(key)
            } else {
                try carryOut(plan, of: key, applier)
            }
        }
        return try Set(
            held.map { collection, keys in
                let live = try counts(of: collection).records
                return try hold(deletes: keys, of: collection, live: live, applier)
            })
    }

    /// Makes the edit of a plan, stamped now.
    private func carryOut(_ plan: UndoPlan, of key: RecordKey, _ applier: OperationApplier) throws {
        guard let edit = plan.edit else { return }
        try change(key, applier) { state, clock, context in
            let now = applier.time.now(over: state, &clock)
            return state.edited(edit, at: now, context.rules, clock: &clock, wall: context.wall)
        }
    }

    /// Lets deletes wait in the hold `massDelete`, as the journal's do.
    ///
    /// - Returns: the number of the hold.
    private func hold(
        deletes keys: [RecordKey], of collection: CollectionID, live: Int, _ applier: OperationApplier
    ) throws -> Int64 {
        let context = applier.context(collection)
        let hold = try MassDelete.raise(
            .journal, of: collection, live: live, by: "an undo", since: context.wall, in: self)
        for key in keys {
            let line: [String: JSONValue] = [
                "op": "delete", "collection": .string(collection.name), "id": .string(key.id.description),
            ]
            try attach(key, to: hold, payload: JSONWriter.text(line), context)
        }
        return hold
    }
}
