internal import Synchronization

/// A value that can be taken out once, so that a closure that lives on does not keep it alive.
final class TakeOnce<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>

    init(_ value: Value) { self.value = Mutex(value) }

    /// The value the first time, nil after that.
    func take() -> Value? {
        value.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
