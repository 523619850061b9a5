internal import Synchronization

/// Tokens that were found good a while ago, so that a signature is not checked with every request.
///
/// Two generations of limited size: when the younger one is full it becomes the older one, and what nobody has asked
/// for since then is forgotten.
final class VerifiedTokens: Sendable {
    private struct Generations: Sendable {
        var young: [String: Identity] = [:]
        var old: [String: Identity] = [:]
        /// Counts the times at which all of them could be no good any more.
        var revocation = 0
    }

    private let generations = Mutex(Generations())
    private let limit: Int

    /// - Parameter limit: of one generation.
    init(limit: Int = 1000) { self.limit = limit }

    func identity(of token: String) -> Identity? {
        generations.withLock { generations in
            if let identity = generations.young[token] { return identity }
            guard let identity = generations.old[token] else { return nil }
            remember(identity, token, &generations)
            return identity
        }
    }

    func remember(_ identity: Identity, of token: String) {
        generations.withLock { remember(identity, token, &$0) }
    }

    /// Remembers what was found out in this `revocation`; nothing where that is over.
    func remember(_ identity: Identity, of token: String, in revocation: Int) {
        generations.withLock { if $0.revocation == revocation { remember(identity, token, &$0) } }
    }

    /// Forgets all that was found out before this `revocation`.
    func forgetAll(unlessIn revocation: Int) {
        generations.withLock { generations in
            if generations.revocation < revocation { generations = Generations(revocation: revocation) }
        }
    }

    func forget(_ token: String) {
        generations.withLock { generations in
            generations.young[token] = nil
            generations.old[token] = nil
        }
    }

    private func remember(_ identity: Identity, _ token: String, _ generations: inout Generations) {
        if generations.young.count >= limit {
            generations = Generations(old: generations.young, revocation: generations.revocation)
        }
        generations.young[token] = identity
    }
}
