internal import Logging
internal import SyncModel
internal import SystemPackage

/// Turns the layers' texts into typed settings, and gathers every problem on the way.
///
/// A value that is wrong is replaced by a harmless one, so that the checks after it still run.
struct SettingsReading {
    let layers: SettingsLayers
    let paths: StandardPaths
    let collections: [CollectionID]
    let environment: [String: String]
    let workingDirectory: FilePath
    /// The folder of the configuration file; nil without one.
    let fileFolder: FilePath?
    var problems: [SettingsProblem] = []
    var origins: [SettingKey: SettingOrigin] = [:]

    init(
        layers: SettingsLayers, paths: StandardPaths, collections: [CollectionID], environment: [String: String],
        workingDirectory: FilePath, fileFolder: FilePath?
    ) {
        self.layers = layers
        self.paths = paths
        self.collections = collections
        self.environment = environment
        self.workingDirectory = workingDirectory
        self.fileFolder = fileFolder
    }

    /// The settings; worth something only where ``problems`` is empty, and nil at most where it is not.
    mutating func settings() -> Settings? {
        guard let state = path(.state) ?? paths.state else {
            if origins[.state] == nil {
                complain(.builtIn, "there is no place for the state: set state, --state or HOME")
            }
            return nil
        }
        let local = local(in: state)
        let settings = Settings(
            state: state,
            journal: path(.journal) ?? paths.journal ?? state.appending("journal.jsonl"),
            socket: socket(in: state),
            collections: enabledCollections(),
            remote: remote(local),
            maxAhead: duration(.maxAhead),
            keepTombstones: duration(.keepTombstones),
            local: local,
            log: .init(level: word(.logLevel) ?? .info, format: word(.logFormat) ?? .auto)
        )
        checkBases(settings)
        return settings
    }

    mutating func complain(_ origin: SettingOrigin, _ message: String) {
        problems.append(SettingsProblem(origin, message))
    }

    mutating func complain(about key: SettingKey, _ message: String) {
        complain(origins[key] ?? .builtIn, "\(key) \(message)")
    }
}

// One kind of value after the other.
extension SettingsReading {
    mutating func text(_ key: SettingKey) -> String? {
        do {
            guard let found = try layers.text(key) else { return nil }
            origins[key] = found.origin
            return found.value
        } catch {
            origins[key] = error.origin
            problems.append(error)
            return nil
        }
    }

    /// One of the words of an enumeration.
    mutating func word<Word: CaseIterable & RawRepresentable<String>>(_ key: SettingKey) -> Word? {
        guard let text = text(key) else { return nil }
        if let word = Word(rawValue: text) { return word }
        let words = Word.allCases.map(\.rawValue)
        complain(
            about: key,
            "is \(quoted(text)), but must be one of \(words.joined(separator: ", "))"
                + NearestName.hint(for: text, among: words)
        )
        return nil
    }

    /// An absolute path; relative ones start from the folder of what names them.
    mutating func path(_ key: SettingKey) -> FilePath? {
        guard let text = text(key) else { return nil }
        guard !text.isEmpty else {
            complain(about: key, "is empty: name a path, or leave the key out")
            return nil
        }
        guard !text.hasPrefix("~/"), text != "~" else {
            complain(about: key, "starts with ~, which only a shell understands: write the whole path")
            return nil
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            complain(about: key, "holds a control character")
            return nil
        }
        return folder(of: key).pushing(FilePath(text)).lexicallyNormalized()
    }

    func folder(of key: SettingKey) -> FilePath {
        if case .file? = origins[key], let fileFolder { return fileFolder }
        return workingDirectory
    }

    mutating func duration(_ key: SettingKey) -> Duration {
        guard let text = text(key) else { return .zero }
        if let duration = Duration(setting: text), duration > .zero { return duration }
        complain(
            about: key, "is \(quoted(text)), but must be a whole number above 0 and a unit: 250ms, 60s, 10m, 2h, 90d")
        return .zero
    }

    /// A Unix socket's address has room for 107 bytes.
    private mutating func socket(in state: FilePath) -> FilePath {
        let socket = path(.socket) ?? paths.socket ?? state.appending("control.sock")
        if socket.string.utf8.count > 107 {
            complain(
                about: .socket,
                "has \(socket.string.utf8.count) bytes, but a socket's path has at most 107: name a shorter one")
        }
        return socket
    }

    func quoted(_ text: String) -> String {
        "\"" + text.prefix(80).map { $0.isNewline || ($0.asciiValue ?? 0x20) < 0x20 ? "?" : String($0) }.joined() + "\""
    }
}

extension Duration {
    /// Reads a whole number with a unit: `ms`, `s`, `m`, `h` or `d`; nil for anything else, or more than 100 years.
    package init?(setting text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let units: [Substring: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
        guard !digits.isEmpty, let number = Int64(digits), let unit = units[text[digits.endIndex...]] else {
            return nil
        }
        let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit)
        guard !overflow, milliseconds <= 36_525 * 86_400_000 else { return nil }
        self = .milliseconds(milliseconds)
    }
}
