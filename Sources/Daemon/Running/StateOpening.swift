internal import LocalStore
internal import Logging
internal import Systemd

/// Opens the state at the start of a daemon.
///
/// While its disk is full it waits for room: a service that ends again and again is given up by its manager, and would
/// stay away when there is room.
struct StateOpening {
    let folder: String
    let notifier: SystemNotifier
    let logger: Logger
    /// Between two attempts.
    var pause = Duration.seconds(5)

    /// The state; no sooner than there is room for it.
    ///
    /// - Throws: ``StoreError`` for anything else that keeps it closed; `CancellationError`.
    func opened(_ open: (String) throws -> LocalStore = { try LocalStore(folder: $0) }) async throws -> LocalStore {
        while true {
            do {
                return try await notifier.extendingTimeout("opening the state") { try open(folder) }
            } catch let error as StoreError where error.code == .diskFull {
                logger.error(
                    "The state waits for room on its disk",
                    metadata: ["event": "state.failed", "reason": "\(error.message)"])
                notifier.starting("waits for room: \(error.message)", within: pause + .seconds(30))
                try await Task.sleep(for: pause)
            }
        }
    }
}
