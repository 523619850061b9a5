internal import Synchronization

/// What a form has led to, for the next page that its browser opens.
final class Notices: Sendable {
    private let texts = Mutex<[String: String]>([:])

    /// - Parameter session: the hash of the browser's cookie.
    func put(_ text: String, for session: String) { texts.withLock { $0[session] = text } }

    /// Takes what is to be said; nil where nothing is.
    func take(for session: String) -> String? { texts.withLock { $0.removeValue(forKey: session) } }
}
