internal import DatabaseTree
internal import Dispatch
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
        guard let rules = rulesStore.rules(database), rules.declaresIndexes else { return }
        let declared = try await WorkerPool.run { [self] in
            let began = ContinuousClock.now
            defer { looks.withLock { $0.note(ContinuousClock.now - began) } }
            return rules.declaredIndexes(in: root(database))
        }
        for (path, order) in declared { try await makeIndex(order, at: path, in: database) }
    }

    /// ``lookForIndexes(in:)`` for each database that these wrote to.
    func lookForIndexes(after batch: [(write: Write, answer: Answer)]) {
        var last: String?
        for (write, _) in batch where write.database != last {
            lookForIndexes(in: write.database)
            last = write.database
        }
    }

    /// What was written to `database` may have become so much that an index which the rules declare is worth it: looks for
    /// that a moment later, and once for all that is written until then.
    func lookForIndexes(in database: String) {
        guard rulesStore.rules(database)?.declaresIndexes == true else { return }
        let pause = looks.withLock { $0.begin(database) }
        guard let pause else { return }
        queue.asyncAfter(deadline: .now() + .milliseconds(pause)) { [self] in
            looks.withLock { $0.end(database) }
            // Where this fails, whoever asks makes the index.
            Task { try? await makeDeclaredIndexes(in: database) }
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

/// When it is time to look for indexes that are to be made.
struct IndexLooks: Sendable {
    /// The databases for which a look is due already.
    private var due: Set<String> = []
    /// Milliseconds.
    private var pause = 100

    /// In how many milliseconds to look; nil where a look is due already.
    mutating func begin(_ database: String) -> Int? { due.insert(database).inserted ? pause : nil }

    mutating func end(_ database: String) { due.remove(database) }

    /// A look has taken this long: all of them together are to take little of the time.
    mutating func note(_ duration: Duration) { pause = max(100, Int(20 * (duration / .milliseconds(1)))) }
}
