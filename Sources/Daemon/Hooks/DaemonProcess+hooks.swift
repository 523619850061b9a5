internal import FoundationEssentials
internal import HookDelivery
internal import HookRules
internal import LocalStore
internal import Logging
internal import OperatingSystem
internal import PluginHost
internal import PluginWire
internal import SyncEngine
internal import SyncModel
internal import SystemPackage

extension DaemonProcess {
    /// Who is told of changes.
    ///
    /// - Parameter declared: plugins that say that they are hooks.
    func hookDelivery(
        _ store: LocalStore, _ host: PluginHost, declared: AsyncStream<DeclaredHook>
    ) throws -> HookDelivery {
        let clock = EngineClock.system(wall: DaemonProcess.wall)
        var logger = logger
        logger[metadataKey: "part"] = "hooks"
        let context = HookContext(
            store: store,
            variables: ["MOVIESYNC_SOCKET": settings.socket.string, "MOVIESYNC_JOURNAL": settings.journal.string],
            readSecret: { try SecretFile.read(at: $0) }, addresses: { try HostAddresses.of($0) },
            callPlugin: { name, event in await host.tell(name, event) }, wall: clock.wall,
            sleep: { await clock.sleep(clock.monotonic() + $0) }, logger: logger)
        return try HookDelivery(settings.hooks, plugins: settings.plugins.map(\.name), declared: declared, context)
    }
}

extension PluginHost {
    /// Tells a plugin of an event.
    fileprivate func tell(_ name: String, _ event: HookEvent) async -> HookOutcome {
        do {
            for try await answer in call(name, "hook.event", with: .object(event.members)) {
                guard case .ok(let value) = answer else { continue }
                guard let taken = value.members?["seq"]?.whole, taken != event.sequence else { return .taken }
                return .failed("it acknowledges \(taken), not \(event.sequence)")
            }
            return .failed("it does not answer")
        } catch let error as PluginError {
            switch error.code {
            case .refused, .defect: return .refused(error.description)
            default: return .failed(error.description, retryAfter: error.retryAfter)
            }
        } catch {
            return .failed("\(error)".oneLine)
        }
    }
}

extension HookDelivery {
    /// Takes over other settings; where the state can't be written now, what was goes on until the next reload.
    func takeOver(_ settings: Settings) {
        try? configure(settings.hooks, plugins: settings.plugins.map(\.name))
    }
}
