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
