internal import Configuration
internal import PluginKit
internal import Synchronization
internal import SystemPackage

/// The layers of the configuration, highest first, and which of them a value came from.
struct SettingsLayers {
    private enum Layer {
        case flags
        case environment
        case override(variable: String)
        case file(YAMLSnapshot)
        case builtIn
    }

    private let reader: ConfigReader
    private let layers: [Layer]
    private let deciding = DecidingLayer()

    /// - Parameters:
    ///   - flags: texts by key, for those that were given.
    ///   - environment: all variables; empty ones count as not set.
    ///   - overrides: what variables of other programs replace.
    init(
        schema: SettingsSchema, flags: [String: String], environment: [String: String],
        overrides: [SettingsOverride], file: YAMLSnapshot?, fileProvider: (any ConfigProvider)?
    ) {
        let lists = Set(schema.declarations.filter(\.type.isList).map(\.name))
        var providers: [(Layer, any ConfigProvider)] = [
            (.flags, Self.provider("flags", flags, lists)),
            (
                .environment,
                EnvironmentVariablesProvider(environmentVariables: environment.filter { !$0.value.isEmpty })
                    .prefixKeys(with: "moviesync")
            ),
        ]
        for override in overrides {
            providers.append(
                (.override(variable: override.variable), Self.provider(override.variable, override.values, lists)))
        }
        if let file, let fileProvider { providers.append((.file(file), fileProvider)) }
        providers.append((.builtIn, Self.provider("built-in", schema.defaults, lists)))
        layers = providers.map(\.0)
        reader = ConfigReader(providers: providers.map(\.1), accessReporter: deciding)
    }

    /// What the highest layer that has the key says, a single value as one element; nil where no layer has it.
    func value(of key: SettingDeclaration) throws(SettingsProblem) -> (value: [String], origin: SettingOrigin)? {
        let name = ConfigKey(key.path)
        let value = key.type.isList ? reader.stringArray(forKey: name) : reader.string(forKey: name).map { [$0] }
        switch deciding.last {
        case .failed(let problem): throw problem
        case .layer(let index): return value.map { ($0, origin(of: key, in: layers[index])) }
        }
    }

    private func origin(of key: SettingDeclaration, in layer: Layer) -> SettingOrigin {
        switch layer {
        case .flags: .flag("--" + (key.flag ?? key.name))
        case .environment: .environment(key.environmentName)
        case .override(let variable): .environment(variable)
        case .file(let file): file.elements[key.path]?.valuePlace ?? .wholeFile(file.file)
        case .builtIn: .builtIn
        }
    }

    private static func provider(_ name: String, _ values: [String: String], _ lists: Set<String>) -> InMemoryProvider {
        InMemoryProvider(
            name: name,
            values: .init(
                uniqueKeysWithValues: values.map { key, value in
                    let content: ConfigContent =
                        lists.contains(key)
                        ? .stringArray(value.split(separator: ",").map(String.init)) : .string(value)
                    let path = key.split(separator: ".").map(String.init)
                    return (AbsoluteConfigKey(path), ConfigValue(content, isSecret: false))
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
