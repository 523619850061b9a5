internal import Synchronization

/// The bytes of all bodies that have come and are not answered yet.
final class BodyBudget: Sendable {
    private struct State {
        var all = 0
        var anonymous = 0
    }

    private let state = Mutex(State())
    private let limit: Int
    private let anonymousLimit: Int

    /// - Parameters:
    ///   - limit: the most bytes of all bodies.
    ///   - anonymousLimit: the most bytes of those that nobody vouches for, which are among them.
    init(limit: Int, anonymousLimit: Int) {
        self.limit = limit
        self.anonymousLimit = anonymousLimit
    }

    /// Counts `bytes` more; false where there is no room for them now.
    func take(_ bytes: Int, isAnonymous: Bool) -> Bool {
        state.withLock { state in
            guard state.all + bytes <= limit, !isAnonymous || state.anonymous + bytes <= anonymousLimit else {
                return false
            }
            state.all += bytes
            if isAnonymous { state.anonymous += bytes }
            return true
        }
    }

    /// Gives back what was taken.
    func give(_ bytes: Int, isAnonymous: Bool) {
        state.withLock { state in
            state.all -= bytes
            if isAnonymous { state.anonymous -= bytes }
        }
    }

    /// The bytes that are counted now.
    var bytes: Int { state.withLock(\.all) }
}

/// What one body takes of a budget, until it is let go.
final class BodyShare: Sendable {
    let isAnonymous: Bool
    private let budget: BodyBudget
    private let taken = Atomic<Int>(0)

    private let whenGiven: @Sendable (Int) -> Void

    /// - Parameter whenGiven: is told how many bytes were given back.
    init(of budget: BodyBudget, isAnonymous: Bool, whenGiven: @escaping @Sendable (Int) -> Void = { _ in }) {
        self.budget = budget
        self.isAnonymous = isAnonymous
        self.whenGiven = whenGiven
    }

    func take(_ bytes: Int) -> Bool {
        guard budget.take(bytes, isAnonymous: isAnonymous) else { return false }
        taken.add(bytes, ordering: .relaxed)
        return true
    }

    deinit {
        let bytes = taken.load(ordering: .relaxed)
        budget.give(bytes, isAnonymous: isAnonymous)
        whenGiven(bytes)
    }
}
