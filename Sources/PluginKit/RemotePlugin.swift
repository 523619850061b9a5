public import SyncModel

/// A kind of remote that is compiled into the daemon: `remote.plugin` chooses one by its name.
///
/// ## Writing a remote
/// - Make a target that knows PluginKit and what it needs, with a type that conforms to this and one that conforms to
///   ``Remote``.
/// - Add one line to `BuiltInPlugins.swift`, and run `RemoteConformance` against the remote.
/// - Declare each configuration key once, as a ``SettingKey``: its check, its variable, the documents and the example
///   file come from that.
public protocol RemotePlugin: Sendable {
    /// The word of `remote.plugin`, and the section of the keys that only this remote has.
    var name: String { get }

    /// What it is, for the documents: a sentence that begins with a small letter.
    var summary: String { get }

    /// The keys that it declares, in the order of the documents.
    var keys: [SettingDeclaration] { get }

    /// Whether `remote.writeGuard: rules` can be used: the database itself refuses batches that come too late.
    var hasRules: Bool { get }

    /// What a variable that other programs know too puts in place of the file's values; nil where it is not set.
    ///
    /// - Parameter configured: the text that the file has for a key of this name.
    func override(environment: [String: String], configured: (String) -> String?) -> SettingsOverride?

    /// Says what is wrong between the keys, and with the files that they name.
    ///
    /// Called with each load, also where another plugin is chosen; nothing is sent to the remote.
    func check(_ settings: inout SettingsCheck)

    /// Makes the remote; nothing is sent yet.
    ///
    /// - Throws: ``RemoteSettingsError`` where the settings can't be used after all.
    func makeRemote(_ context: RemoteContext) async throws -> RemoteInstance

    /// Reaches the remote once and changes nothing there; the answer is a line for people.
    ///
    /// - Throws: what the remote throws, where it can't be reached or refuses.
    func probe(_ context: RemoteContext) async throws -> String
}

extension RemotePlugin {
    public var hasRules: Bool { false }

    public func override(environment: [String: String], configured: (String) -> String?) -> SettingsOverride? { nil }

    public func check(_ settings: inout SettingsCheck) {}

    public func probe(_ context: RemoteContext) async throws -> String {
        try await context.probe(makeRemote(context).remote)
    }
}

/// What a variable puts in place of the values in the file; the variables of the keys themselves stand above it.
public struct SettingsOverride: Sendable {
    public let variable: String
    /// Texts by the names of keys.
    public let values: [String: String]

    public init(variable: String, values: [String: String]) {
        self.variable = variable
        self.values = values
    }
}

/// What a remote is made of.
public struct RemoteContext: Sendable {
    /// The values of all keys, checked.
    public let values: SettingValues
    /// The path of each enabled collection in the database, without slashes at its ends; "" is the root.
    public let bases: [CollectionID: String]
    /// The absolute path of the daemon's own folder.
    public let stateFolder: String
    /// Reads a file whose content must not be seen by others, at an absolute path.
    public let readSecret: @Sendable (String) throws -> [UInt8]

    public init(
        values: SettingValues, bases: [CollectionID: String], stateFolder: String,
        readSecret: @escaping @Sendable (String) throws -> [UInt8]
    ) {
        self.values = values
        self.bases = bases
        self.stateFolder = stateFolder
        self.readSecret = readSecret
    }

    /// Reads one key of every keyspace that will be used, and shuts `remote` down.
    public func probe(_ remote: any Remote) async throws -> String {
        let outcome: Result<Void, any Error>
        do {
            for collection in bases.keys.sorted(by: { $0.name < $1.name }) {
                _ = try await remote.read("moviesync-probe", in: .records(collection))
                if remote.keepsTombstones {
                    _ = try await remote.read("moviesync-probe", in: .tombstones(collection))
                }
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await remote.shutdown()
        try outcome.get()
        return "remote: \(remote.address) answers"
    }
}

/// A remote, and what has to run for it.
public struct RemoteInstance: Sendable {
    public let remote: any Remote
    /// Runs beside the engine, begun before it and ended after it, until graceful shutdown or cancellation.
    public let service: (@Sendable () async throws -> Void)?

    public init(_ remote: any Remote, service: (@Sendable () async throws -> Void)? = nil) {
        self.remote = remote
        self.service = service
    }
}

/// Why a remote can't be made of its settings: one line that says what to change.
public struct RemoteSettingsError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String
    public init(_ message: String) { self.message = message }
    public var description: String { message }
}
