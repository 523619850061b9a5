internal import PluginKit

/// What is decided about the requests to one catalog: when they are sent, and which need not be.
struct CatalogLine: Sendable {
    enum Step: Hashable, Sendable {
        case answer(Answered)
        /// Ask at this moment, and show this validator.
        case ask(at: UInt64, known: String?)
        case refuse(CatalogError)
    }

    /// The longest that a request waits for its turn, in milliseconds.
    private static let patience: UInt64 = 20_000

    let name: String
    private var pace: Pace
    private var breaker = Breaker()
    private var cache = ReplyCache()
    /// The source asked to be left alone until then.
    private var limitedUntil: UInt64?
    /// What the last request failed with; nil after one that did not.
    private(set) var lastError: CatalogError?
    /// What the source is asked with now, see ``Catalog/access``.
    private(set) var access = 0
    private(set) var requests = 0
    private(set) var failures = 0
    private(set) var cacheHits = 0

    init(_ description: CatalogDescription) {
        name = description.name
        pace = Pace(burst: description.burst, perSecond: description.requestsPerSecond)
    }

    /// Asks with this key and these settings from now on: what another key came up against does not hold for it.
    mutating func use(_ access: Int) {
        guard access != self.access else { return }
        self.access = access
        breaker = Breaker()
        limitedUntil = nil
        lastError = nil
    }

    /// Until when the source is left alone, and why; nil where it is not.
    func rest(at now: UInt64) -> (until: UInt64, isLimit: Bool)? {
        if let limitedUntil, now < limitedUntil { return (limitedUntil, true) }
        if let until = breaker.closedUntil, now < until { return (until, false) }
        return nil
    }

    /// Whether there is time for what nobody waits for yet.
    func isIdle(at now: UInt64) -> Bool { rest(at: now) == nil && pace.free(at: now) > 1 }

    /// What to do about a question.
    ///
    /// - Parameter anew: whether an answer that is at hand is not good enough, however fresh.
    mutating func step(for question: Question, anew: Bool, at now: UInt64) -> Step {
        let entry = cache.entry(question)
        if let entry, !anew, now < entry.freshUntil {
            cacheHits += 1
            return .answer(Answered(reply: entry.reply))
        }
        if let (until, isLimit) = rest(at: now) { return instead(entry, resting(until, isLimit, now)) }
        guard let moment = pace.reserve(at: now, patience: CatalogLine.patience) else {
            let error = CatalogError(.limited, "\(name) has been asked too much at once", retryAfter: 10)
            return instead(entry, error)
        }
        // Only when it is sure to be sent: whoever is let through in a rest is the one that tries.
        guard breaker.admits(at: now) else { return instead(entry, resting(now, false, now)) }
        requests += 1
        return .ask(at: moment, known: entry?.validator)
    }

    /// An older answer is better than none.
    private func instead(_ entry: ReplyCache.Entry?, _ error: CatalogError) -> Step {
        entry.map { .answer(Answered(reply: $0.reply, isStale: true)) } ?? .refuse(error)
    }

    private func resting(_ until: UInt64, _ isLimit: Bool, _ now: UInt64) -> CatalogError {
        let seconds = Int((until - min(now, until)) / 1_000) + 1
        return isLimit
            ? CatalogError(.limited, lastError?.message ?? "\(name) asks for fewer requests", retryAfter: seconds)
            : CatalogError(.unavailable, "\(name) does not answer, and is left alone for a while", retryAfter: seconds)
    }

    /// Takes an answer; gives what the one who asked is told.
    mutating func answered(
        _ question: Question, _ reading: CatalogReading<Reply>, at now: UInt64
    ) -> Result<Answered, CatalogError> {
        breaker.succeeded()
        limitedUntil = nil
        lastError = nil
        guard let reply = reading.value ?? cache.entry(question)?.reply else {
            return .failure(CatalogError(.unavailable, "\(name) says that nothing has changed, but nothing was known"))
        }
        cache.put(reply, for: question, validator: reading.validator, maxAge: reading.maxAge, at: now)
        return .success(Answered(reply: reply))
    }

    /// Takes a failure; gives what the one who asked is told.
    ///
    /// - Parameter dayEnds: when the day ends in UTC: a limit without a time is taken for one a day.
    mutating func failed(
        _ question: Question, _ error: CatalogError, at now: UInt64, dayEnds: UInt64
    ) -> Result<Answered, CatalogError> {
        if error.code == .cancelled { return .failure(error) }
        failures += 1
        lastError = error
        switch error.code {
        case .limited: limitedUntil = error.retryAfter.map { now + UInt64(min(max(1, $0), 86_400)) * 1_000 } ?? dayEnds
        case .unavailable: breaker.failed(at: now)
        // It has answered.
        default: breaker.succeeded()
        }
        guard [.limited, .unavailable].contains(error.code), let old = cache.entry(question) else {
            return .failure(error)
        }
        return .success(Answered(reply: old.reply, isStale: true))
    }
}
