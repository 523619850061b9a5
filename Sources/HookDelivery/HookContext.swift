package import HookRules
package import LocalStore
package import Logging
internal import SyncModel

/// What all hooks share.
package struct HookContext: Sendable {
    package var store: LocalStore
    /// This node's id.
    package var node: String
    /// What the programs of hooks find in their environment beside what each event says.
    package var variables: [String: String]
    /// How long one delivery may take.
    package var limit: Duration
    /// Reads a file whose content must not be seen by others.
    package var readSecret: @Sendable (String) throws -> [UInt8]
    /// The addresses of a host, 4 or 16 bytes each; may wait.
    package var addresses: @Sendable (String) throws -> [[UInt8]]
    /// Tells a plugin of an event.
    package var callPlugin: @Sendable (_ name: String, HookEvent) async -> HookOutcome
    /// Milliseconds since 1970.
    package var wall: @Sendable () -> UInt64
    /// Returns after so many milliseconds, or when the task is cancelled.
    package var sleep: @Sendable (_ milliseconds: UInt64) async -> Void
    package var logger: Logger

    package init(
        store: LocalStore, variables: [String: String], limit: Duration = .seconds(30),
        readSecret: @escaping @Sendable (String) throws -> [UInt8],
        addresses: @escaping @Sendable (String) throws -> [[UInt8]],
        callPlugin: @escaping @Sendable (String, HookEvent) async -> HookOutcome,
        wall: @escaping @Sendable () -> UInt64, sleep: @escaping @Sendable (UInt64) async -> Void, logger: Logger
    ) {
        self.store = store
        node = store.node.description
        self.variables = variables
        self.limit = limit
        self.readSecret = readSecret
        self.addresses = addresses
        self.callPlugin = callPlugin
        self.wall = wall
        self.sleep = sleep
        self.logger = logger
    }

    func deliver(_ event: HookEvent, by settings: HookSettings) async -> HookOutcome {
        switch settings.way {
        case .program(let path): await HookProgram(path: path, name: settings.name, context: self).run(event)
        case .webhook(let webhook): await WebhookRequest(webhook: webhook, context: self).send(event)
        case .plugin: await callPlugin(settings.name, event)
        }
    }
}
