internal import Synchronization

/// The bytes of all bodies that have come and are not answered yet.
final class BodyBudget: Sendable {
    /// Whose a body is, as far as its room goes.
    enum Sender: Hashable, Sendable {
        /// Somebody who is vouched for, or who needs nobody to.
        case somebody
        /// Anybody at all, in a network; nil where that is unknown.
        case nobody(RemoteNetwork?)
    }

    private struct State {
        var all = 0
        var anonymous = 0
        /// Of those that nobody vouches for.
        var networks: [RemoteNetwork?: Int] = [:]
    }

    private let state = Mutex(State())
    private let limit: Int
    private let anonymousLimit: Int
    private let networkLimit: Int
    private let whenGiven: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - limit: the most bytes of all bodies.
    ///   - anonymousLimit: the most bytes of those that nobody vouches for, which are among them.
    ///   - networkLimit: the most bytes of these that come from one network.
    ///   - whenGiven: is told, for each body, how many bytes were given back.
    init(
        limit: Int, anonymousLimit: Int, networkLimit: Int, whenGiven: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.whenGiven = whenGiven
        self.limit = limit
        self.anonymousLimit = anonymousLimit
        self.networkLimit = networkLimit
    }

    /// Counts `bytes` more; false where there is no room for them now.
    func take(_ bytes: Int, of sender: Sender) -> Bool {
        state.withLock { state in
            guard state.all + bytes <= limit else { return false }
            if case .nobody(let network) = sender {
                let own = state.networks[network, default: 0] + bytes
                guard state.anonymous + bytes <= anonymousLimit, own <= networkLimit else { return false }
                state.anonymous += bytes
                state.networks[network] = own
            }
            state.all += bytes
            return true
        }
    }

    /// The most bytes that bodies of `sender` have room for while there are no others.
    func most(of sender: Sender) -> Int {
        if case .nobody = sender { min(limit, anonymousLimit, networkLimit) } else { limit }
    }

    /// Gives back what was taken.
    func give(_ bytes: Int, of sender: Sender) {
        defer { whenGiven(bytes) }
        state.withLock { state in
            state.all -= bytes
            guard case .nobody(let network) = sender else { return }
            state.anonymous -= bytes
            let rest = state.networks[network, default: 0] - bytes
            state.networks[network] = rest > 0 ? rest : nil
        }
    }

    /// The bytes that are counted now.
    var bytes: Int { state.withLock(\.all) }
}

/// What one body takes of a budget, until it is let go.
final class BodyShare: Sendable {
    private let sender: BodyBudget.Sender
    private let budget: BodyBudget
    private let taken = Atomic<Int>(0)

    init(of budget: BodyBudget, for sender: BodyBudget.Sender) {
        self.budget = budget
        self.sender = sender
    }

    func take(_ bytes: Int) -> Bool {
        guard budget.take(bytes, of: sender) else { return false }
        taken.add(bytes, ordering: .relaxed)
        return true
    }

    /// Whether so many bytes more are too much for it, whatever others there are.
    func isTooBig(with bytes: Int) -> Bool { taken.load(ordering: .relaxed) + bytes > budget.most(of: sender) }

    deinit { budget.give(taken.load(ordering: .relaxed), of: sender) }
}
