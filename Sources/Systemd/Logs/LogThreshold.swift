package import Logging
internal import Synchronization

/// The level below which nothing is logged; shared by all loggers, and changed while they run.
package final class LogThreshold: Sendable {
    private let current: Mutex<Logger.Level>

    package init(_ level: Logger.Level) { current = Mutex(level) }

    package var level: Logger.Level {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}
