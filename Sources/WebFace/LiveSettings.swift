internal import Synchronization

/// The settings that hold now, for all who ask.
final class LiveSettings: Sendable {
    private let held: Mutex<WebSettings>

    init(_ settings: WebSettings) { held = Mutex(settings) }

    var current: WebSettings {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
