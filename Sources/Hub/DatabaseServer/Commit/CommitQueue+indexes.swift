internal import DatabaseTree
internal import FirebaseWire
internal import SecurityRules
internal import Synchronization

extension CommitQueue {
    /// A database without rules, where everybody may ask for any order, gets no more indexes than this.
    private static let maxUndeclared = 8

    /// Returns once children at `path` can be read in this order without looking at them all, where that is worth it.
    ///
    /// Writes go on meanwhile. Where somebody else makes the same index, this does not wait.
    func makeIndex(_ order: Query.Order, at path: WirePath, in database: String) async throws {
        let known = root(database)
        guard known.wantsIndex(order, at: path) else { return }
        guard rulesStore.rules(database) != nil || known.indexCount < CommitQueue.maxUndeclared else { return }
        let before = await betweenCommits { [self] in
            changeRoot(database) { root -> Root? in
                guard root.wantsIndex(order, at: path) else { return nil }
                root.beginIndex(order, at: path)
                return root
            }
        }
        guard let before else { return }
        guard let made = try await WorkerPool.run({ before.madeIndex(order, at: path) }) else { return }
        await betweenCommits { [self] in changeRoot(database) { $0.finishIndex(made) } }
    }

    /// Makes the indexes that the rules of `database` declare.
    func makeDeclaredIndexes(in database: String) async throws {
        guard let rules = rulesStore.rules(database) else { return }
        for (path, order) in rules.declaredIndexes(in: root(database)) {
            try await makeIndex(order, at: path, in: database)
        }
    }

    /// To be called between two commits.
    private func changeRoot<Result: Sendable>(_ database: String, _ change: (inout Root) -> Result?) -> Result? {
        published.withLock { roots in
            guard var root = roots.removeValue(forKey: database) else { return nil }
            defer { roots[database] = root }
            return change(&root)
        }
    }
}
