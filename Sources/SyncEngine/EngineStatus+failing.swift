internal import ControlAPI
internal import SyncModel

/// What fails, by collection: what succeeds in one says nothing of the others.
extension EngineStatus.Facts {
    /// What fails of a collection.
    struct Failing: Hashable, Sendable {
        /// Why the last request or stream failed; nil when one has succeeded since.
        var failure: Failure?
        /// Why the last write failed; nil when one has succeeded since.
        var writeFailure: Failure?
        var lastError: String?
        var retryAt: UInt64?
    }

    /// Why a request or stream failed last, of the first collection where none has succeeded since.
    var failure: Failure? { first(\.failure) }

    /// Why a write failed last, of the first collection where none has succeeded since.
    var writeFailure: Failure? { first(\.writeFailure) }

    var lastError: String? { first(\.lastError) }

    /// When something that has failed is tried again first.
    var retryAt: UInt64? { failing.values.compactMap(\.retryAt).min() }

    /// Whatever failed before is over where nothing waits: an event may have confirmed a write whose answer was lost.
    mutating func forgetSettled() {
        for collection in failing.keys where isAtRest || rests(collection) { failing[collection] = nil }
    }

    /// Whether nothing of a collection is on its way.
    private func rests(_ collection: CollectionID) -> Bool {
        let own = streams.filter { $0.key.collection == collection }
        guard !own.isEmpty, own.values.allSatisfy({ $0 == .live }) else { return false }
        return counts[collection]?.pending ?? 0 == 0 && unconfirmed[collection] ?? 0 == 0
    }

    private func first<Value>(_ path: KeyPath<Failing, Value?>) -> Value? {
        failing.sorted { $0.key < $1.key }.lazy.compactMap { $0.value[keyPath: path] }.first
    }
}
