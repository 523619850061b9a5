/// How a connection to a plugin ended.
package enum PluginEnding: Hashable, Sendable {
    /// It could not be opened; the reason follows "it can't be started".
    case unopened(String)
    case exited(Int)
    case signaled(Int)
    /// The other end of a socket closed.
    case closed

    /// Whether a program that ends like this has nothing to complain about.
    package var isClean: Bool { self == .exited(0) || self == .closed }

    /// For people: what it did, beginning with "it".
    package var words: String {
        switch self {
        case .unopened(let reason): "it can't be started: \(reason)"
        case .exited(let code): "it ended with exit code \(code)"
        case .signaled(let signal): "it was ended by signal \(signal)"
        case .closed: "it closed the connection"
        }
    }
}
