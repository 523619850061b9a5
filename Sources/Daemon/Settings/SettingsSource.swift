internal import Configuration
internal import FoundationEssentials
internal import OperatingSystem
package import SyncModel
package import SystemPackage

/// The command line's share of the settings; nil for what was not given.
package struct SettingsFlags: Equatable, Sendable {
    package var config: String?
    package var state: String?
    package var journal: String?
    package var socket: String?
    package var logLevel: String?

    package init(
        config: String? = nil, state: String? = nil, journal: String? = nil, socket: String? = nil,
        logLevel: String? = nil
    ) {
        self.config = config
        self.state = state
        self.journal = journal
        self.socket = socket
        self.logLevel = logLevel
    }
}

/// Settings with what there is to say about them.
package struct LoadedSettings: Equatable, Sendable {
    package var settings: Settings
    /// The file they were read from; nil for built-in defaults.
    package var file: FilePath?
    /// One line each: environment variables with our prefix that mean nothing.
    package var warnings: [String]
}

/// Everything that settings are made of: flags, environment, a file, and the collections that are built in.
///
/// Loading again reads the file again, and nothing else has changed.
package struct SettingsSource: Sendable {
    package var flags: SettingsFlags
    package var environment: [String: String]
    /// The collections that are built in, enabled or not.
    package var collections: [CollectionID]
    /// The folder that relative paths in flags and the environment start from.
    package var workingDirectory: FilePath
    package var userID: UInt32

    package init(
        flags: SettingsFlags, environment: [String: String] = ProcessInfo.processInfo.environment,
        collections: [CollectionID], workingDirectory: FilePath = FilePath(FileManager.default.currentDirectoryPath),
        userID: UInt32 = ThisProcess.user
    ) {
        self.flags = flags
        self.environment = environment
        self.collections = collections
        self.workingDirectory = workingDirectory
        self.userID = userID
    }

    /// Reads and checks everything; throws all problems at once.
    package func load() async throws(SettingsRejected) -> LoadedSettings {
        let paths = StandardPaths(environment: environment, userID: userID)
        let file = configurationFile(paths)
        var yaml: PlacedYAML?
        var provider: FileProvider<PlacedYAML>?
        if let file {
            do {
                let opened = try await FileProvider<PlacedYAML>(
                    parsingOptions: .init(file: file.string), filePath: file
                )
                provider = opened
                yaml = opened.snapshot() as? PlacedYAML
            } catch {
                throw SettingsRejected([Self.problem(error, file)])
            }
        }
        let layers = SettingsLayers(
            flags: flagValues, environment: environment, emulator: emulator(yaml), file: yaml, fileProvider: provider,
            builtIn: builtIn
        )
        var reading = SettingsReading(
            layers: layers, paths: paths, collections: collections, environment: environment,
            workingDirectory: workingDirectory, fileFolder: file?.removingLastComponent()
        )
        let settings = reading.settings()
        let problems = reading.problems + (yaml.map(unknownKeys) ?? [])
        guard problems.isEmpty, let settings else { throw SettingsRejected(problems) }
        return LoadedSettings(settings: settings, file: file, warnings: unknownVariables())
    }

    private func configurationFile(_ paths: StandardPaths) -> FilePath? {
        if let config = flags.config { return workingDirectory.pushing(FilePath(config)).lexicallyNormalized() }
        return paths.configurations.first { FileManager.default.fileExists(atPath: $0.string) }
    }

    private static func problem(_ error: any Error, _ file: FilePath) -> SettingsProblem {
        if let problem = error as? SettingsProblem { return problem }
        let reason: String
        var facts = false
        if !FileManager.default.fileExists(atPath: file.string, isDirectory: &facts) {
            reason = "there is no such file"
        } else if facts {
            reason = "this is a folder, not a file"
        } else {
            reason = "the file can't be read: check its owner and mode"
        }
        return SettingsProblem(.wholeFile(file.string), reason)
    }

    private var flagValues: [SettingKey: String] {
        let given: [(SettingKey, String?)] = [
            (.state, flags.state), (.journal, flags.journal), (.socket, flags.socket), (.logLevel, flags.logLevel),
        ]
        return Dictionary(uniqueKeysWithValues: given.compactMap { key, value in value.map { (key, $0) } })
    }

    private func emulator(_ yaml: PlacedYAML?) -> [SettingKey: String] {
        guard case .text(let url)? = yaml?.elements[SettingKey.url.path]?.value else {
            return EmulatorHost.replacements(environment: environment, configuredURL: nil)
        }
        return EmulatorHost.replacements(environment: environment, configuredURL: url)
    }

    private var builtIn: [SettingKey: String] {
        var values: [SettingKey: String] = [
            .enabled: collections.map(\.name).joined(separator: ","), .plugin: "local", .meta: "moviesync",
            .credential: "none", .writeGuard: "etag", .maxAhead: "60s", .keepTombstones: "90d",
            .localFsync: "always", .localKeepAlive: "30s",
            .listen: "127.0.0.1:9000", .localEmulator: "false", .localInsecure: "false", .logLevel: "info",
            .logFormat: "auto",
        ]
        for collection in collections {
            values[.base(of: collection)] = collection.name
            values[.pull(of: collection)] = "full"
        }
        return values
    }
}

extension SettingsSource {
    /// The keys of the file that nobody declares; of an unknown section only its own name.
    private func unknownKeys(_ yaml: PlacedYAML) -> [SettingsProblem] {
        let declared = SettingKey.all(collections: collections)
        let leaves = Set(declared.map(\.path))
        let sections = Set(declared.flatMap { key in (1..<key.path.count).map { Array(key.path.prefix($0)) } })
        let names = (leaves.union(sections)).map { $0.joined(separator: ".") }.sorted()
        return yaml.elements.compactMap { path, element in
            let name = path.joined(separator: ".")
            let parent = Array(path.dropLast())
            guard parent.isEmpty || sections.contains(parent) else { return nil }
            if leaves.contains(path) { return nil }
            guard sections.contains(path) else {
                let hint = NearestName.hint(for: name, among: names)
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

    private func example(_ section: [String], _ declared: [SettingKey]) -> String {
        declared.first { $0.path.starts(with: section) }?.description ?? ""
    }

    /// Variables that start with our prefix and mean nothing; a warning, because they may be meant for another program.
    private func unknownVariables() -> [String] {
        let known = SettingKey.all(collections: collections).map(\.environmentName)
        return environment.keys.filter { $0.hasPrefix("MOVIESYNC_") && !known.contains($0) }.sorted().map {
            "\($0) is not a known variable" + NearestName.hint(for: $0, among: known)
        }
    }
}
