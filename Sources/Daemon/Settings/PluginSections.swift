internal import OperatingSystem
internal import PluginHost
internal import PluginKit
internal import SyncModel
internal import SystemPackage

/// Reads the section `plugins` of the file: a map by names that people choose, so that its keys can't be declared one by
/// one. No variable and no flag changes it.
struct PluginSections {
    static let name = "plugins"
    private static let keys = ["command", "socket", "for", "settings", "secrets", "whenDown"]

    private var section: NamedSection
    private(set) var settings: [PluginSettings] = []

    var problems: [SettingsProblem] { section.problems }

    /// - Parameter collections: those that there are.
    init(
        _ yaml: YAMLSnapshot, _ collections: [CollectionID], _ credentials: CredentialFolder, _ folder: FilePath
    ) {
        section = NamedSection(yaml, collections, credentials, folder)
        switch yaml.elements[[PluginSections.name]]?.value {
        case .section?: for name in yaml.names(below: [PluginSections.name]) { read(name) }
        case nil, .null?: return
        case .text?, .list?:
            section.complain([PluginSections.name], "must have keys of its own, such as plugins.shelf.command")
        }
    }

    private mutating func read(_ name: String) {
        let path = [PluginSections.name, name]
        guard PluginSections.isName(name) else {
            return section.complain(path, atKey: true, "is no name: use up to 40 of a-z, 0-9 and -, a letter first")
        }
        guard case .section? = section.yaml.elements[path]?.value else {
            return section.complain(path, "must have keys of its own, such as plugins.\(name).command")
        }
        section.checkKeys(path, among: PluginSections.keys)
        guard let way = way(path) else { return }
        var plugin = PluginSettings(
            name: name, way: way, settings: options(path), secrets: secrets(path), collections: collections(path))
        plugin.whenDown = whenDown(path)
        settings.append(plugin)
    }

    private mutating func whenDown(_ path: [String]) -> String? {
        let path = path + ["whenDown"]
        guard let element = section.yaml.elements[path] else { return nil }
        let all = WhenDown.allCases.map(\.rawValue)
        if case .text(let text, _) = element.value, all.contains(text) { return text }
        if case .null = element.value { return nil }
        section.complain(path, "must be one of \(all.joined(separator: ", "))")
        return nil
    }

    private static func isName(_ name: String) -> Bool {
        let scalars = name.unicodeScalars
        return (1...40).contains(scalars.count) && scalars.first.map { ("a"..."z").contains($0) } == true
            && scalars.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
    }
}

// The keys of one plugin.
extension PluginSections {
    private mutating func way(_ path: [String]) -> PluginSettings.Way? {
        let command = section.yaml.elements[path + ["command"]]?.value
        switch (command, section.yaml.elements[path + ["socket"]]?.value) {
        case (.list?, nil), (.text?, nil):
            guard let words = words(path + ["command"]), let program = words.first, !program.isEmpty else { return nil }
            return .command([program.contains("/") ? absolute(program) : program] + words.dropFirst())
        case (nil, .text(let socket, _)?):
            let place = absolute(socket)
            let longest = UnixListener.longestPath
            if place.utf8.count > longest {
                section.complain(path + ["socket"], "is longer than the \(longest) bytes of a socket's path")
            }
            return .socket(place)
        case (nil, nil), (.null?, nil), (nil, .null?):
            section.complain(path, atKey: true, "needs a command, such as [/usr/libexec/moviesync/shelf], or a socket")
        case (nil, _?): section.complain(path + ["socket"], "must be the path of a socket")
        case (.section?, nil):
            section.complain(path + ["command"], "must be a program and its arguments, such as [/a/b, --c]")
        case (_?, _?): section.complain(path, atKey: true, "has both command and socket: keep one")
        }
        return nil
    }

    /// What the plugin is told: any keys and values.
    private mutating func options(_ path: [String]) -> [String: JSONValue] {
        let path = path + ["settings"]
        switch section.yaml.elements[path]?.value {
        case .section?:
            guard let value = section.yaml.json(at: path) else {
                section.complain(path, "holds a list of keys and values, which can't be told: use keys instead")
                return [:]
            }
            return value.members ?? [:]
        case nil, .null?: return [:]
        case .text?, .list?:
            section.complain(path, "must have keys of its own")
            return [:]
        }
    }

    private mutating func secrets(_ path: [String]) -> [String: String] {
        let path = path + ["secrets"]
        switch section.yaml.elements[path]?.value {
        case .section?: break
        case nil, .null?: return [:]
        case .text?, .list?:
            section.complain(path, "must name a file for each secret, such as {key: omdb-key}")
            return [:]
        }
        var files: [String: String] = [:]
        for name in section.yaml.names(below: path) {
            guard case .text(let file, _)? = section.yaml.elements[path + [name]]?.value, !file.isEmpty else {
                section.complain(path + [name], "must be the name of a credential or file")
                continue
            }
            files[name] = section.secretFile(file)
        }
        return files
    }

    private mutating func collections(_ path: [String]) -> [String] {
        let path = path + ["for"]
        guard let element = section.yaml.elements[path], case let value = element.value else { return [] }
        if case .null = value { return [] }
        let names = words(path) ?? []
        section.checkCollections(names, path)
        return names
    }

    /// The texts of a list, or a single one.
    private mutating func words(_ path: [String]) -> [String]? {
        switch section.yaml.elements[path]?.value {
        case .text(let text, _)? where !text.isEmpty: return [text]
        case .list(let values)?:
            let texts = values.compactMap { value -> String? in
                if case .text(let text, _) = value { text } else { nil }
            }
            if texts.count == values.count, !texts.isEmpty { return texts }
        default: break
        }
        section.complain(path, "must be a list of words")
        return nil
    }

    private func absolute(_ path: String) -> String {
        section.folder.pushing(FilePath(path)).lexicallyNormalized().string
    }
}

extension YAMLSnapshot {
    /// The names of the keys right below a section, in order.
    func names(below path: [String]) -> [String] {
        elements.keys.filter { $0.count == path.count + 1 && $0.starts(with: path) }.compactMap(\.last).sorted()
    }

    /// What stands at a path, as JSON: plain numbers and truth values are such. Nil where a list holds more than single
    /// values.
    fileprivate func json(at path: [String]) -> JSONValue? {
        guard let value = elements[path]?.value else { return nil }
        guard case .section = value else { return value.json }
        var members: [String: JSONValue] = [:]
        for name in names(below: path) {
            guard let member = json(at: path + [name]) else { return nil }
            members[name] = member
        }
        return .object(members)
    }
}

extension YAMLSnapshot.Value {
    fileprivate var json: JSONValue? {
        switch self {
        case .null: return .null
        case .section: return nil
        case .list(let values):
            let elements = values.compactMap(\.json)
            return elements.count == values.count ? .array(elements) : nil
        case .text(let text, let isPlain):
            guard isPlain else { return .string(text) }
            if let truth = Bool(text) { return .bool(truth) }
            if let whole = Int64(text) { return .integer(whole) }
            // Neither "nan" nor "inf" is meant as a number.
            if let first = text.first, first.isNumber || first == "-", let number = Double(text), number.isFinite {
                return .number(number)
            }
            return .string(text)
        }
    }
}
