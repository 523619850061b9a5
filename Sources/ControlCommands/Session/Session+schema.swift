internal import BuiltInCollections
internal import ControlAPI
internal import PluginKit
internal import SyncModel

extension Session {
    /// What the plugin of a collection says about its fields, for an edit.
    ///
    /// Asks the daemon only for a collection that is not compiled in: an edit works while no daemon runs.
    /// - Throws: a usage failure that names the known collections, for one that is unknown.
    func schema(of collection: CollectionName) async throws -> CollectionSchema {
        if let schema = Session.builtInSchemas[collection.id.name] { return schema }
        let enabled = try? await client.schemas(patience: Session.editPatience)
        if let schema = enabled?.first(where: { $0.name == collection.id.name }) { return schema }
        let known = (enabled?.map(\.name) ?? Array(Session.builtInSchemas.keys)).sorted().joined(separator: ", ")
        let missing = enabled == nil ? "no collection that is known without a daemon" : "no collection"
        throw CommandFailure(.usage, "\(missing) is called '\(collection)'; give one of: \(known)")
    }

    /// What the plugin of a collection says about its fields, for showing its records.
    ///
    /// - Throws: what the daemon says about a collection that it does not have.
    func shownSchema(of collection: CollectionName) async throws -> CollectionSchema {
        if let schema = Session.builtInSchemas[collection.id.name] { return schema }
        guard let schema = try await client.schemas().first(where: { $0.name == collection.id.name }) else {
            throw CommandFailure(ControlError.unknownCollection(collection.id.name))
        }
        return schema
    }

    /// What is known of all collections, by name; those compiled in where the daemon does not say.
    func shownSchemas() async -> [String: CollectionSchema] {
        let enabled = (try? await client.schemas()) ?? []
        return Session.builtInSchemas.merging(enabled.map { ($0.name, $0) }) { _, enabled in enabled }
    }

    private static let builtInSchemas = Dictionary(
        BuiltInCollections.all.map { ($0.id.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
}
