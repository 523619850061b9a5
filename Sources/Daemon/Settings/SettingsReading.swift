internal import ControlAPI
internal import FoundationEssentials
internal import OperatingSystem
internal import PluginKit
internal import SyncModel
internal import SystemPackage

/// Turns the layers' texts into typed settings, and gathers every problem on the way.
///
/// A value that is wrong is replaced by a harmless one, so that the checks after it still run.
struct SettingsReading {
    let schema: SettingsSchema
    let layers: SettingsLayers
    let paths: StandardPaths
    let environment: [String: String]
    let workingDirectory: FilePath
    /// The folder of the configuration file; nil without one.
    let fileFolder: FilePath?
    private(set) var problems: [SettingsProblem] = []
    private var origins: [String: SettingOrigin] = [:]
    private var values = SettingValues()
    private var wrong: Set<String> = []

    init(
        schema: SettingsSchema, layers: SettingsLayers, paths: StandardPaths, environment: [String: String],
        workingDirectory: FilePath, fileFolder: FilePath?
    ) {
        self.schema = schema
        self.layers = layers
        self.paths = paths
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.fileFolder = fileFolder
    }

    /// The settings; worth something only where ``problems`` is empty, and nil at most where it is not.
    mutating func settings() -> Settings? {
        for declaration in schema.declarations { read(declaration) }
        let remote = values[CoreKeys.remotePlugin(schema.remotes)]
        let collections = enabledCollections()
        checkBases(collections)
        checkRemotes(remote)
        checkWeb()
        guard let state = values[CoreKeys.state].map({ FilePath($0) }) ?? paths.state else {
            if origins[CoreKeys.state.name] == nil {
                complain(.builtIn, "there is no place for the state: set state, --state or HOME")
            }
            return nil
        }
        let journal = values[CoreKeys.journal].map { FilePath($0) } ?? paths.journal ?? state.appending("journal.jsonl")
        let socket = values[CoreKeys.socket].map { FilePath($0) } ?? paths.socket ?? state.appending("control.sock")
        let artwork = values[ArtworkKeys.cache].map { FilePath($0) } ?? paths.artwork ?? state.appending("art")
        checkLength(of: socket)
        checkJournal(journal, state, socket)
        values[CoreKeys.state] = state.string
        values[CoreKeys.journal] = journal.string
        values[CoreKeys.socket] = socket.string
        values[ArtworkKeys.cache] = artwork.string
        return Settings(
            values: values, state: state, journal: journal, socket: socket, collections: collections,
            remotePlugin: remote)
    }

    private mutating func complain(_ origin: SettingOrigin, _ message: String) {
        problems.append(SettingsProblem(origin, message))
    }

    private mutating func complain<Value>(about key: SettingKey<Value>, _ message: String) {
        complain(origins[key.name] ?? .builtIn, "\(key.name) \(message)")
    }
}

// One key by itself.
extension SettingsReading {
    private mutating func read(_ declaration: SettingDeclaration) {
        let found: (value: [String], origin: SettingOrigin)?
        do {
            found = try layers.value(of: declaration)
        } catch {
            origins[declaration.name] = error.origin
            wrong.insert(declaration.name)
            return problems.append(error)
        }
        guard let found else { return }
        origins[declaration.name] = found.origin
        do {
            try values.read(declaration, from: input(found.value, found.origin))
        } catch {
            wrong.insert(declaration.name)
            complain(found.origin, "\(declaration.name) \(error.message)")
        }
    }

    private func input(_ elements: [String], _ origin: SettingOrigin) -> SettingInput {
        var folder = workingDirectory
        if case .file = origin, let fileFolder { folder = fileFolder }
        let base = folder
        let credentials = environment["CREDENTIALS_DIRECTORY"]
        return SettingInput(elements) {
            base.pushing(FilePath($0)).lexicallyNormalized().string
        } secretPath: {
            CredentialFolder(path: credentials).place(of: $0, otherwiseIn: base).string
        }
    }
}

// What must fit together.
extension SettingsReading {
    private mutating func checkLength(of socket: FilePath) {
        let (count, longest) = (socket.string.utf8.count, UnixListener.longestPath)
        guard count > longest else { return }
        complain(
            about: CoreKeys.socket, "has \(count) bytes, but a socket's path has at most \(longest): name a shorter one"
        )
    }

    /// Programs append to the journal: it is no file that the daemon writes itself.
    private mutating func checkJournal(_ journal: FilePath, _ state: FilePath, _ socket: FilePath) {
        let name = journal.removingLastComponent() == state ? journal.lastComponent?.string ?? "" : ""
        guard journal == socket || ConfiguredPlaces.stateFiles.contains(where: { name.hasPrefix($0) }) else { return }
        complain(about: CoreKeys.journal, "is \(journal), which the daemon makes itself: name another file")
    }

    private mutating func enabledCollections() -> [Settings.Collection] {
        let key = CoreKeys.enabled(schema.enabledByDefault)
        let names = wrong.contains(key.name) ? [] : values[key]
        if names.isEmpty, !wrong.contains(key.name), origins[key.name] != .builtIn {
            complain(about: key, "names no collection")
        }
        var chosen: [Settings.Collection] = []
        for name in names {
            guard let id = schema.collections.first(where: { $0.name == name }) else {
                let all = schema.collections.map(\.name)
                complain(
                    about: key,
                    "names \(SettingInput.quoted(name)), but the collections are \(all.joined(separator: ", "))"
                        + NearestName.hint(for: name, among: all))
                continue
            }
            if schema.keyed.contains(id), values[CoreKeys.pull(of: id)] == .incremental {
                complain(
                    about: CoreKeys.pull(of: id),
                    "is incremental, but the keys of \(name) are made of fields, which a database does not list by time: "
                        + "use full")
            }
            if chosen.contains(where: { $0.id == id }) {
                complain(about: key, "names \(name) twice")
            } else {
                chosen.append(
                    Settings.Collection(
                        id: id, base: values[CoreKeys.base(of: id)], pull: values[CoreKeys.pull(of: id)],
                        merge: values[CoreKeys.merge(of: id)]))
            }
        }
        for id in schema.collections where !names.contains(id.name) { forget(id) }
        return chosen
    }

    /// The keys of a collection that is not enabled were checked, and count for nothing else.
    private mutating func forget(_ collection: CollectionID) {
        values.remove(CoreKeys.base(of: collection))
        values.remove(CoreKeys.pull(of: collection))
        values.remove(CoreKeys.merge(of: collection))
    }

    private mutating func checkRemotes(_ chosen: String) {
        let credentials = environment["CREDENTIALS_DIRECTORY"]
        for remote in schema.remotes {
            var check = SettingsCheck(values, plugin: chosen, wrong: wrong) {
                try SecretFile.read(at: $0, credentials: credentials)
            }
            remote.check(&check)
            for problem in check.problems {
                complain(origins[problem.place] ?? .builtIn, "\(problem.key) \(problem.message)")
            }
        }
        if values[RemoteKeys.writeGuard] == .rules,
            schema.remotes.contains(where: { $0.name == chosen && !$0.hasRules })
        {
            complain(about: RemoteKeys.writeGuard, "is rules, but \(chosen) has none: use etag")
        }
    }

    /// Nothing but records may stand under a base, whoever else looks at it.
    private mutating func checkBases(_ collections: [Settings.Collection]) {
        for (index, collection) in collections.enumerated() {
            let key = CoreKeys.base(of: collection.id)
            let quoted = SettingInput.quoted(collection.base)
            for other in collections[..<index] where overlaps(collection.base, other.base) {
                let rival = "\(CoreKeys.base(of: other.id).name) \(SettingInput.quoted(other.base))"
                complain(about: key, "is \(quoted), which overlaps \(rival): records of both would mix")
            }
            guard let meta = values[RemoteKeys.meta] else { continue }
            if collection.base.isEmpty {
                complain(about: key, "is the root, where only records may stand: set remote.meta to none")
            } else if ["tombstones", "horizon", "nodes"].contains(where: { overlaps(collection.base, "\(meta)/\($0)") })
            {
                complain(
                    about: key,
                    "is \(quoted), which overlaps remote.meta \(SettingInput.quoted(meta)): keep them apart")
            }
        }
    }

    /// A page that others can reach is asked by a name that is known.
    private mutating func checkWeb() {
        guard let listen = values[WebKeys.listen], !listen.isLoopback, values[WebKeys.hosts].isEmpty else { return }
        complain(
            about: WebKeys.listen,
            "is \(listen), which other machines can reach: name in web.hosts what they call it, or use 127.0.0.1")
    }

    private func overlaps(_ left: String, _ right: String) -> Bool {
        left.isEmpty || right.isEmpty || (left + "/").hasPrefix(right + "/") || (right + "/").hasPrefix(left + "/")
    }
}
