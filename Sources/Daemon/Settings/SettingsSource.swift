internal import Configuration
internal import ControlAPI
internal import DeclaredCollections
internal import FoundationEssentials
internal import OperatingSystem
package import PluginKit
package import SystemPackage

/// Everything that settings are made of: flags, environment, a file with the folders beside it, and the plugins that are
/// built in.
///
/// Loading again reads the files again, and nothing else has changed.
package struct SettingsSource: Sendable {
    package var flags: SettingsFlags
    package var environment: [String: String]
    /// With the collections that were declared when this was made.
    package let schema: SettingsSchema
    private let builtIn: PluginRegistry
    /// The folder that relative paths in flags and the environment start from.
    package var workingDirectory: FilePath
    package var userID: UInt32

    package init(
        flags: SettingsFlags, environment: [String: String] = ProcessInfo.processInfo.environment,
        plugins: PluginRegistry, workingDirectory: FilePath = FilePath(FileManager.default.currentDirectoryPath),
        userID: UInt32 = ThisProcess.user
    ) {
        self.flags = flags
        self.environment = environment
        builtIn = plugins
        self.workingDirectory = workingDirectory
        self.userID = userID
        let places = ConfigurationPlaces(flags, environment, workingDirectory, userID)
        declared = DeclaredFolder(places.folder(DeclaredFolder.name), builtIn: plugins.collections.map(\.id))
        schema = SettingsSource.schema(plugins, declared)
    }

    /// The collections that files beside the configuration declared when this was made.
    let declared: DeclaredFolder

    /// The plugins that are built in, and these collections.
    package func plugins() throws(DuplicatePlugin) -> PluginRegistry { try plugins(declared) }

    private func plugins(_ declared: DeclaredFolder) throws(DuplicatePlugin) -> PluginRegistry {
        try PluginRegistry(
            collections: builtIn.collections + declared.collections, remotes: builtIn.remotes,
            catalogs: builtIn.catalogs)
    }

    private static func schema(_ plugins: PluginRegistry, _ declared: DeclaredFolder) -> SettingsSchema {
        SettingsSchema(
            collections: plugins.collections + declared.collections, remotes: plugins.remotes,
            catalogs: plugins.catalogs)
    }

    /// Reads and checks everything; throws all problems at once.
    package func load() async throws(SettingsRejected) -> LoadedSettings {
        let reading = await read()
        guard reading.problems.isEmpty, let settings = reading.settings else {
            throw SettingsRejected(reading.problems)
        }
        return LoadedSettings(
            settings: settings, file: reading.file, warnings: reading.warnings,
            plugins: (try? plugins(reading.declared)) ?? builtIn,
            declarations: SettingsSource.schema(builtIn, reading.declared).declarations, places: reading.places)
    }

    /// What was read, also where something is wrong with it: then only what no problem names is worth anything.
    struct Reading {
        var settings: Settings?
        var file: FilePath?
        var problems: [SettingsProblem]
        var warnings: [String] = []
        var declared: DeclaredFolder
        var places: [[String]: SettingOrigin] = [:]
    }

    func read() async -> Reading {
        let paths = StandardPaths(environment: environment, userID: userID)
        let places = ConfigurationPlaces(flags, environment, workingDirectory, userID)
        let file = places.file
        let declared = DeclaredFolder(places.folder(DeclaredFolder.name), builtIn: builtIn.collections.map(\.id))
        let schema = SettingsSource.schema(builtIn, declared)
        var yaml: YAMLSnapshot?
        var provider: FileProvider<YAMLSnapshot>?
        var unreadable: SettingsProblem?
        if let file {
            do {
                let opened = try await FileProvider<YAMLSnapshot>(
                    parsingOptions: .init(file: file.string), filePath: file)
                provider = opened
                yaml = opened.snapshot() as? YAMLSnapshot
            } catch {
                unreadable = Self.problem(error, file)
            }
        }
        let layers = SettingsLayers(
            schema: schema, flags: flags.values, environment: environment, overrides: overrides(yaml), file: yaml,
            fileProvider: provider)
        var reading = SettingsReading(
            schema: schema, layers: layers, paths: paths, environment: environment,
            workingDirectory: workingDirectory, fileFolder: file?.removingLastComponent())
        var settings = reading.settings()
        settings?.note(declared, schema.remotes)
        settings?.hooks = HookFolder.hooks(in: places.folder(HookFolder.name))
        var problems = declared.problems + reading.problems + (yaml.map { unknownKeys($0, schema) } ?? [])
        if let yaml, let folder = file?.removingLastComponent() {
            let credentials = CredentialFolder(path: environment["CREDENTIALS_DIRECTORY"])
            problems += Self.readMaps(of: yaml, schema, credentials, folder, into: &settings)
        }
        // Of a file that can't be read nothing else is said: what it would set is unknown.
        if let unreadable { problems = [unreadable] }
        return Reading(
            settings: settings, file: file, problems: problems, warnings: unknownVariables(schema), declared: declared,
            places: yaml.map(Self.valuePlaces) ?? [:])
    }

    private static func valuePlaces(of yaml: YAMLSnapshot) -> [[String]: SettingOrigin] {
        yaml.elements.filter { path, _ in maps.contains(path.first ?? "") }.mapValues(\.valuePlace)
    }

    /// Reads the sections that are maps by names that people choose, and says what is wrong there.
    private static func readMaps(
        of yaml: YAMLSnapshot, _ schema: SettingsSchema, _ credentials: CredentialFolder, _ folder: FilePath,
        into settings: inout Settings?
    ) -> [SettingsProblem] {
        let plugins = PluginSections(yaml, schema.collections, credentials, folder)
        let webhooks = WebhookSections(yaml, schema.collections, credentials, folder)
        let users = UserSection(yaml, schema.collections, credentials, folder)
        settings?.plugins = plugins.settings
        settings?.hooks += webhooks.hooks
        settings?.users = users.users
        return plugins.problems + webhooks.problems + users.problems
    }

    private static func problem(_ error: any Error, _ file: FilePath) -> SettingsProblem {
        if let problem = error as? SettingsProblem { return problem }
        let reason: String
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: file.string, isDirectory: &isFolder)
        do throws(SystemError) {
            _ = try FileIdentity.of(path: file.string)
            reason =
                isFolder ? "this is a folder, not a file" : "the file can't be read: check its owner and mode"
        } catch {
            reason =
                error.isPermission
                ? "the file can't be read: check the owners and modes of its folders" : "there is no such file"
        }
        return SettingsProblem(.wholeFile(file.string), reason)
    }

    private func overrides(_ yaml: YAMLSnapshot?) -> [SettingsOverride] {
        schema.remotes.compactMap { remote in
            remote.override(environment: environment) { name in
                guard case .text(let text, _)? = yaml?.elements[name.split(separator: ".").map(String.init)]?.value
                else {
                    return nil
                }
                return text
            }
        }
    }
}

extension SettingsSource {
    /// The sections whose keys people choose.
    private static let maps = [PluginSections.name, WebhookSections.name, UserSection.name]

    /// The keys of the file that nobody declares; of an unknown section only its own name.
    private func unknownKeys(_ yaml: YAMLSnapshot, _ schema: SettingsSchema) -> [SettingsProblem] {
        let declared = schema.declarations
        let leaves = Set(declared.map(\.path))
        let sections = Set(declared.flatMap { key in (1..<key.path.count).map { Array(key.path.prefix($0)) } })
        let maps = SettingsSource.maps
        let names = leaves.union(sections).union(maps.map { [$0] }).map { $0.joined(separator: ".") }.sorted()
        return yaml.elements.compactMap { path, element in
            if let first = path.first, maps.contains(first) { return nil }
            let name = path.joined(separator: ".")
            let parent = Array(path.dropLast())
            guard parent.isEmpty || sections.contains(parent) else { return nil }
            if leaves.contains(path) { return nil }
            guard sections.contains(path) else {
                let hint = nesting(of: path, among: names) ?? NearestName.hint(for: name, among: names)
                return SettingsProblem(element.keyPlace, "unknown key \(name)" + hint)
            }
            switch element.value {
            case .section, .null: return nil
            case .text, .list:
                return SettingsProblem(
                    element.valuePlace, "\(name) must have keys of its own, such as \(example(path, declared))")
            }
        }
    }

    /// How a key is to be written that has dots in it; nil where it has none, or where it is near to nothing without them.
    private func nesting(of path: [String], among names: [String]) -> String? {
        guard path.contains(where: { $0.contains(".") }) else { return nil }
        let parts = path.flatMap { $0.split(separator: ".").map(String.init) }
        let meant: [String]
        if names.contains(parts.joined(separator: ".")) || (parts.count > 1 && SettingsSource.maps.contains(parts[0])) {
            meant = parts
        } else {
            guard let nearest = NearestName.of(path.joined(separator: "."), among: names) else { return nil }
            meant = nearest.split(separator: ".").map(String.init)
        }
        guard meant.count > 1 else { return nil }
        return ": a dot stands for nesting; write " + meant.map { $0 + ":" }.joined(separator: " and below it ")
    }

    private func example(_ section: [String], _ declared: [SettingDeclaration]) -> String {
        declared.first { $0.path.starts(with: section) }?.description ?? ""
    }

    /// Variables that start with our prefix and mean nothing; a warning, because they may be meant for another program.
    private func unknownVariables(_ schema: SettingsSchema) -> [String] {
        let known = schema.declarations.map(\.environmentName) + [ConfiguredPlaces.patienceVariable]
        return environment.keys.filter { $0.hasPrefix("MOVIESYNC_") && !known.contains($0) }.sorted().map {
            "\($0) is not a known variable" + NearestName.hint(for: $0, among: known)
        }
    }
}
