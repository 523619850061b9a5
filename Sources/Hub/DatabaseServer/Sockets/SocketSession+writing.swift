internal import DatabaseTree
internal import FirebaseWire
internal import SyncModel
internal import Synchronization

/// What a session writes, now or at its end.
extension SocketSession {
    func write(_ order: SentWrite, hash: String?, _ number: Int?, _ share: BodyShare?) async {
        // Where the condition does not hold, the answer may tell what is there.
        if hash != nil { await outbox.room() }
        do {
            try checkDatabase()
            let condition = hash.map { WriteCondition(ValueHash($0)) }
            let admission = Admission(order, in: database, by: principal, if: condition, to: responder)
            guard let write = try await admission.write() else { throw Refusal.notAnObject }
            let outcome: WriteOutcome
            if let condition {
                await writes.empty()
                outcome = try await responder.commit(write, bytes: order.count, if: condition)
            } else {
                let course = responder.commits.course(of: write, bytes: order.count)
                if case .plain = course { return await commit(write, number, share) }
                await writes.empty()
                outcome = try await responder.commits.commit(write, bytes: order.count)
            }
            // Behind what its listeners are told of it.
            await responder.commits.whenTold { [self] in told(.success(outcome), number, at: order.path) }
        } catch let mismatch as Mismatch {
            await writes.empty()
            told(.success(.mismatch(current: mismatch.current)), number, at: order.path)
        } catch let refusal as Refusal {
            await writes.empty()
            answer(number, refusal)
        } catch {
            answer(number, Refusal(500, (error as? StorageError)?.message ?? "The server could not do this"))
        }
    }

    /// Puts a write in line, with others before and after it.
    private func commit(_ write: Write, _ number: Int?, _ share: BodyShare?) async {
        await writes.enter()
        responder.commits.commit(write) { [self] outcome in
            withExtendedLifetime(share) { told(outcome, number) }
            writes.leave()
        }
    }

    /// Throws where a write would make a database, and nobody vouches for the client.
    private func checkDatabase() throws(Refusal) {
        guard responder.rulesStore.rules(database) == nil, !identity.isVouchedFor, responder.isMissing(database) else {
            return
        }
        throw .unknownDatabase
    }

    /// A write has ended, and all who listen have been told, but for those of large crowds.
    ///
    /// - Parameter path: the place of a write that has a condition.
    private func told(_ outcome: Result<WriteOutcome, any Error>, _ number: Int?, at path: WirePath? = nil) {
        responder.listeners.catchUp(in: database) { listening.withLock { Array($0.values) } }
        guard let number else { return }
        switch outcome {
        case .success(.stored): outbox.send(SocketReply.answer(number))
        case .success(.mismatch): refuseStale(number, at: path, "The value has changed")
        case .success(.refused(let refusal)): answer(number, refusal)
        case .success(.stale): refuseStale(number, at: path, "The value changes all the time")
        case .failure(let error):
            answer(number, Refusal(500, (error as? StorageError)?.message ?? "The server could not store this"))
        }
    }

    /// Says that the value at `path` is not the one that was written over, and what it is where the client would not hear.
    private func refuseStale(_ number: Int, at path: WirePath?, _ reason: String) {
        let answer = SocketReply.answer(number, "datastale", .string(reason))
        guard let place = path?.node, !hears(place), responder.mayRead(place, in: database, by: principal) else {
            return outbox.send(answer)
        }
        let subscription = Subscription(path: place, query: nil, isExport: true, wire: .socket)
        outbox.add(
            SocketReading(
                responder.commits.root(database), subscription, tag: nil, known: nil, follower: answer))
    }

    /// Whether the client is told of all that changes at `path`.
    private func hears(_ path: WirePath) -> Bool {
        listening.withLock { listeners in
            listeners.values.contains { listener in
                listener.subscription.query == nil && listener.subscription.path.contains(path)
            }
        }
    }

    // MARK: The end

    func plan(_ order: SentWrite, _ number: Int?) async {
        do {
            // Rules may look at what was written just before.
            await writes.empty()
            let parsed = try await order.order()
            try checkDatabase()
            guard try await responder.commits.wouldAllow(Write(parsed, in: database, by: principal)) else {
                throw Refusal.permissionDenied
            }
            performAtOnce(machine.withLock { $0.planned(parsed, bytes: order.count, number: number) })
        } catch let refusal as Refusal {
            answer(number, refusal)
        } catch {
            answer(number, Refusal(500, "The server could not do this"))
        }
    }

    /// Writes what was planned: as one write where that is the same, else, and where the rules refuse that, one by one.
    func perform(_ orders: [WriteOrder], _ principal: Principal) async {
        if let all = DisconnectPlan.combined(orders) {
            let outcome = try? await responder.commits.commit(Write(all, in: database, by: principal))
            guard case .refused? = outcome else { return }
        }
        for order in orders { _ = try? await responder.commits.commit(Write(order, in: database, by: principal)) }
    }
}
