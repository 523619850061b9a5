internal import Configuration
internal import Synchronization
internal import SystemPackage

/// The layers of the configuration, highest first, and which of them a value came from.
struct SettingsLayers {
    private enum Layer {
        case flags
        case environment
        case emulator
        case file(PlacedYAML)
        case builtIn
    }

    private let reader: ConfigReader
    private let layers: [Layer]
    private let deciding = DecidingLayer()

    /// - Parameters:
    ///   - flags: values by key, for those that were given.
    ///   - environment: all variables; empty ones count as not set.
    ///   - emulator: what `FIREBASE_DATABASE_EMULATOR_HOST` replaces; empty where it does not count.
    init(
        flags: [SettingKey: String], environment: [String: String], emulator: [SettingKey: String], file: PlacedYAML?,
        fileProvider: (any ConfigProvider)?, builtIn: [SettingKey: String]
    ) {
        var providers: [(Layer, any ConfigProvider)] = [
            (.flags, Self.provider("flags", flags)),
            (
                .environment,
                EnvironmentVariablesProvider(environmentVariables: environment.filter { !$0.value.isEmpty })
                    .prefixKeys(with: "moviesync")
            ),
            (.emulator, Self.provider("emulator", emulator)),
        ]
        if let file, let fileProvider { providers.append((.file(file), fileProvider)) }
        providers.append((.builtIn, Self.provider("built-in", builtIn)))
        layers = providers.map(\.0)
        reader = ConfigReader(providers: providers.map(\.1), accessReporter: deciding)
    }

    /// The value of a key that holds a single word or text; nil where no layer has one.
    func text(_ key: SettingKey) throws(SettingsProblem) -> (value: String, origin: SettingOrigin)? {
        try found(key) { reader in reader.string(forKey: ConfigKey(key.path)) }
    }

    /// The value of a key that holds a list; nil where no layer has one.
    func list(_ key: SettingKey) throws(SettingsProblem) -> (value: [String], origin: SettingOrigin)? {
        try found(key) { reader in reader.stringArray(forKey: ConfigKey(key.path)) }
    }

    private func found<Value>(
        _ key: SettingKey, _ read: (ConfigReader) -> Value?
    ) throws(SettingsProblem) -> (value: Value, origin: SettingOrigin)? {
        let value = read(reader)
        switch deciding.last {
        case .failed(let problem): throw problem
        case .layer(let index): return value.map { ($0, origin(of: key, in: layers[index])) }
        }
    }

    private func origin(of key: SettingKey, in layer: Layer) -> SettingOrigin {
        switch layer {
        case .flags: .flag("--" + (key == .logLevel ? "log-level" : key.description))
        case .environment: .environment(key.environmentName)
        case .emulator: .environment(EmulatorHost.variable)
        case .file(let file): file.elements[key.path]?.valuePlace ?? .wholeFile(file.file)
        case .builtIn: .builtIn
        }
    }

    private static func provider(_ name: String, _ values: [SettingKey: String]) -> InMemoryProvider {
        InMemoryProvider(
            name: name,
            values: .init(
                uniqueKeysWithValues: values.map { key, value in
                    let content: ConfigContent =
                        key.shape == .list
                        ? .stringArray(value.split(separator: ",").map(String.init)) : .string(value)
                    return (AbsoluteConfigKey(key.path), ConfigValue(content, isSecret: false))
                }
            )
        )
    }
}

/// Notes which layer decided the last access: providers are asked in order until one has a value or fails.
private final class DecidingLayer: AccessReporter {
    enum Outcome { case layer(Int), failed(SettingsProblem) }

    private let outcome = Mutex(Outcome.layer(0))

    var last: Outcome { outcome.withLock { $0 } }

    func report(_ event: AccessEvent) {
        let index = event.providerResults.count - 1
        if case .failure(let error)? = event.providerResults.last?.result {
            let problem = error as? SettingsProblem ?? SettingsProblem(.builtIn, "\(event.metadata.key): \(error)")
            outcome.withLock { $0 = .failed(problem) }
        } else {
            outcome.withLock { $0 = .layer(max(0, index)) }
        }
    }
}
