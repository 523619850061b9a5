internal import BuiltInCollections
internal import ControlAPI
internal import JSONText
internal import PluginKit
internal import SyncModel

extension Session {
    /// What the plugin of a collection says about its fields, for an edit.
    ///
    /// The daemon's word; where it does not answer, that of its configuration, and of what is compiled in.
    /// - Throws: a usage failure that names the known collections, for one that is unknown or not enabled.
    func schema(of collection: CollectionName, _ target: EditTarget) async throws -> CollectionSchema {
        let name = collection.id.name
        let enabled = await enabledSchemas(isRunning: target.status != nil)
        if let schema = enabled?.first(where: { $0.name == name }) { return schema }
        if enabled == nil, let schema = Session.builtInSchemas[name] { return schema }
        let known = (enabled?.map(\.name) ?? Array(Session.builtInSchemas.keys)).sorted()
        var hint = NearestName.hint(for: name, among: known)
        if enabled != nil, Session.builtInSchemas[name] != nil { hint = " (collections.enabled does not name it);" }
        throw CommandFailure(
            .usage,
            "no enabled collection is called '\(name)'\(hint.isEmpty ? ";" : hint) there are: "
                + known.joined(separator: ", "))
    }

    /// The daemon's word, else that of its configuration; nil where neither says anything.
    private func enabledSchemas(isRunning: Bool) async -> [CollectionSchema]? {
        var enabled: [CollectionSchema]?
        if isRunning { enabled = try? await client.schemas(patience: Session.editPatience) }
        if enabled == nil { enabled = await paths.withoutDaemon()?.collections }
        return enabled
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

    /// What the keys of each collection are made of, as far as that is known.
    func keyTemplates() async -> KeyTemplates {
        let enabled = await enabledSchemas(isRunning: true)
        let templates = Dictionary((enabled ?? []).map { ($0.name, $0.key) }) { first, _ in first }
        return KeyTemplates { templates[$0.name] ?? .uuid }
    }

    /// The record that a text names: an id, the beginning of one, or a key that is made of fields.
    ///
    /// - Parameter schema: asked for only where the text is no id.
    func recordPrefix(
        _ text: String, in collection: CollectionName, _ schema: () async throws -> CollectionSchema
    ) async throws -> RecordPrefix {
        do throws(CommandFailure) {
            return try RecordPrefix(text)
        } catch {
            let key = try await schema().key
            guard key.isKeyed else { throw error }
            guard key.fields(of: text) != nil else {
                let form = key.parts.map { $0.name.uppercased() }.joined(separator: "/")
                throw CommandFailure(.usage, "'\(text)' is neither an id nor a key of \(collection), which is \(form)")
            }
            return RecordPrefix(of: .named(text, in: collection.id))
        }
    }

    /// The same, for showing a record.
    func recordPrefix(_ text: String, in collection: CollectionName) async throws -> RecordPrefix {
        try await recordPrefix(text, in: collection) { try await shownSchema(of: collection) }
    }

    private static let builtInSchemas = Dictionary(
        BuiltInCollections.all.map { ($0.id.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
}
