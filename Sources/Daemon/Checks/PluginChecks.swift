internal import ControlAPI
internal import FoundationEssentials
internal import JSONText
internal import LocalStore
internal import PluginHost
internal import PluginKit
internal import PluginWire
internal import ServiceLifecycle
internal import SyncModel
internal import Synchronization

/// The plugins that are checks, as the engine asks them.
///
/// A plugin is a check when it says so. One that has not been heard yet counts as what it was last time, or as a check where
/// the configuration says what is to be done while it is down.
final class PluginChecks: CheckService, Service {
    private struct State: Sendable {
        var settings: [PluginSettings]
        /// Whether a plugin was a check when it was heard last.
        var known: [String: Bool]
    }

    private let host: PluginHost
    private let store: LocalStore
    private let state: Mutex<State>
    private let heard: AsyncStream<(plugin: String, isCheck: Bool)>

    private static let memory = "checks"
    /// How long one is asked: the protocol wants an answer within a second.
    private static let patience: Duration = .seconds(5)
    /// How long a plugin that was just started may take to say what it is, and how often that is looked at.
    private static let hearing = 100
    private static let glance: Duration = .milliseconds(50)

    /// - Parameter heard: plugins that were greeted.
    init(
        _ settings: [PluginSettings], _ host: PluginHost, _ store: LocalStore,
        heard: AsyncStream<(plugin: String, isCheck: Bool)>
    ) throws {
        self.host = host
        self.store = store
        self.heard = heard
        let text = try store.writeNow { try $0.value(PluginChecks.memory) }.result
        let known = text.flatMap { try? JSONReader.members($0) } ?? [:]
        state = Mutex(State(settings: settings, known: known.compactMapValues(\.truth)))
    }

    func configure(_ settings: [PluginSettings]) { state.withLock { $0.settings = settings } }

    /// Remembers what plugins say that they are.
    func run() async throws {
        for await (plugin, isCheck) in heard.cancelOnGracefulShutdown() {
            let (isNew, known) = state.withLock { state in
                (state.known.updateValue(isCheck, forKey: plugin) != isCheck, state.known)
            }
            guard isNew else { continue }
            let text = JSONWriter.text(known.mapValues { .bool($0) })
            _ = try? await store.write { try $0.setValue(PluginChecks.memory, text) }
        }
    }

    var mayBeAny: Bool { state.withLock { !$0.settings.isEmpty } }

    func checks(of collection: CollectionID) async -> [CheckRule] {
        var rules: [CheckRule] = []
        for plugin in state.withLock({ $0.settings }).sorted(by: { $0.name < $1.name }) {
            guard plugin.collections.isEmpty || plugin.collections.contains(collection.name),
                await isCheck(plugin, of: collection)
            else { continue }
            rules.append(
                CheckRule(name: plugin.name, whenDown: plugin.whenDown.flatMap { WhenDown(rawValue: $0) } ?? .wait))
        }
        return rules
    }

    private func isCheck(_ plugin: PluginSettings, of collection: CollectionID) async -> Bool {
        for _ in 0..<PluginChecks.hearing {
            if let declaration = host.declaration(of: plugin.name) {
                guard declaration.provides["check"] != nil else { return false }
                let collections = declaration.collections("check", plugin.collections)
                return collections.isEmpty || collections.contains(collection.name)
            }
            if plugin.whenDown != nil { return true }
            if let known = state.withLock({ $0.known[plugin.name] }) { return known }
            // One that has failed before it ever said what it is keeps nobody waiting.
            let reply = host.plugins().first { $0.name == plugin.name }
            guard let reply, reply.failures == 0, reply.state == .idle || reply.state == .starting else { return false }
            try? await Task.sleep(for: PluginChecks.glance)
            if Task.isCancelled { return false }
        }
        return false
    }

    func ask(_ check: String, about fields: [String: JSONValue], in collection: CollectionID) async -> CheckAnswer {
        let answer = try? await withTimeout(PluginChecks.patience) { await self.answer(check, fields, collection) }
        return answer ?? .down("it does not answer within \(PluginChecks.patience.components.seconds) s")
    }

    private func answer(
        _ check: String, _ fields: [String: JSONValue], _ collection: CollectionID
    ) async -> CheckAnswer {
        do {
            let arguments: JSONValue = .object(["collection": .string(collection.name), "fields": .object(fields)])
            for try await answer in host.call(check, "check", with: arguments) {
                guard case .ok(let value) = answer else { continue }
                guard let said = value.members?["fields"], said != .null else { return .fine }
                guard let wanted = said.members else { return .down("its fields are \(said.kind), no object") }
                return wanted == fields ? .fine : .completed(wanted)
            }
            return .down("it does not answer")
        } catch let error as PluginError {
            guard error.code == .defect || error.code == .refused else { return .down(error.description) }
            return .refused(error.field.map { "\"\($0)\": \(error.message)" } ?? error.message)
        } catch {
            return .down("\(error)")
        }
    }
}
