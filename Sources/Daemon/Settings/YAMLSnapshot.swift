internal import Configuration
internal import Yams

/// A YAML file as a layer of the configuration that knows the line and column of every key and value.
///
/// An empty file, or one with only comments, has no keys. A key with `~`, `null` or nothing after the colon counts as
/// not set.
struct YAMLSnapshot: FileConfigSnapshot {
    struct ParsingOptions: FileParsingOptions {
        /// The file's name, for messages.
        var file = "configuration"
        static var `default`: ParsingOptions { ParsingOptions() }
    }

    struct Element {
        var keyPlace: SettingOrigin
        var valuePlace: SettingOrigin
        var value: Value
    }

    enum Value {
        case null
        /// Plain is what stands there without quotes.
        case text(String, isPlain: Bool)
        case list([Value])
        case section
    }

    let providerName: String
    let file: String
    private(set) var elements: [[String]: Element] = [:]
    /// How many more values there may be: aliases of aliases make more of them than fit anywhere.
    private var room = 10_000

    init(data: RawSpan, providerName: String, parsingOptions: ParsingOptions) throws {
        self.providerName = providerName
        file = parsingOptions.file
        let bytes = data.withUnsafeBytes { Array($0) }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsProblem(.wholeFile(file), "this is not UTF-8 text")
        }
        if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
        let root: Node?
        do {
            root = try Yams.compose(yaml: text)
        } catch let error as YamlError {
            throw Self.problem(error, in: text, file: file)
        }
        guard let root, !Self.isNull(root) else { return }
        guard case .mapping(let mapping) = root else {
            throw SettingsProblem(
                place(root), "the file must hold keys and values, such as \"state: /var/lib/moviesync\"")
        }
        try add(mapping, below: [])
    }

    private mutating func add(_ mapping: Node.Mapping, below path: [String]) throws {
        for (key, node) in mapping {
            guard case .scalar(let scalar) = key else { throw SettingsProblem(place(key), "a key must be a word") }
            let path = path + [scalar.string]
            elements[path] = Element(keyPlace: place(key), valuePlace: place(node), value: try value(node))
            if case .mapping(let inner) = node { try add(inner, below: path) }
        }
    }

    private func place(_ node: Node) -> SettingOrigin {
        guard let mark = node.mark else { return .wholeFile(file) }
        return .file(file, line: mark.line, column: mark.column)
    }

    private mutating func value(_ node: Node) throws -> Value {
        room -= 1
        guard room >= 0 else { throw SettingsProblem(place(node), "here are more values than any configuration has") }
        switch node {
        case .scalar(let scalar):
            let isPlain = scalar.style == .plain || scalar.style == .any
            return Self.isNull(node) ? .null : .text(scalar.string, isPlain: isPlain)
        case .sequence(let sequence):
            var elements: [Value] = []
            for element in sequence { elements.append(try value(element)) }
            return .list(elements)
        case .mapping, .alias: return .section
        }
    }

    /// Only a plain scalar can be null: `""` and `"~"` are texts.
    private static func isNull(_ node: Node) -> Bool {
        guard case .scalar(let scalar) = node, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }
}

extension YAMLSnapshot {
    func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
        LookupResult(encodedKey: key.description, value: try content(of: key, type).map { .init($0, isSecret: false) })
    }

    private func content(of key: AbsoluteConfigKey, _ type: ConfigType) throws -> ConfigContent? {
        guard let element = elements[key.components] else { return nil }
        let name = key.components.joined(separator: ".")
        switch (element.value, type) {
        case (.null, _): return nil
        case (.text(let text, _), .string): return .string(text)
        case (.list(let values), .stringArray):
            return .stringArray(
                try values.map { value in
                    guard case .text(let text, _) = value else {
                        throw SettingsProblem(element.valuePlace, "\(name) must be a list of words, such as [movies]")
                    }
                    return text
                }
            )
        case (_, .stringArray):
            throw SettingsProblem(element.valuePlace, "\(name) must be a list of words, such as [movies]")
        case (.list, _): throw SettingsProblem(element.valuePlace, "\(name) must be a single value, not a list")
        case (.section, _), (.text, _):
            throw SettingsProblem(element.valuePlace, "\(name) must be a single value, not keys of its own")
        }
    }

    var description: String { "\(providerName)[\(elements.count) keys]" }
    var debugDescription: String { description }
}

extension YAMLSnapshot {
    private static func problem(_ error: YamlError, in text: String, file: String) -> SettingsProblem {
        switch error {
        case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
            .composer(let context, let problem, let mark, _):
            SettingsProblem(
                .file(file, line: mark.line, column: mark.column),
                "bad YAML: \(context.map { $0.text + ", " } ?? "")\(problem)")
        case .duplicatedKeysInMapping(let names, let context):
            SettingsProblem(
                .file(file, line: context.mark.line, column: context.mark.column),
                "\(names.joined(separator: ", ")) stands here more than once: keep one"
            )
        case .reader(let problem, let offset, _, _):
            SettingsProblem(place(of: offset ?? 0, in: text, file: file), "bad YAML: \(problem)")
        case .no, .memory, .writer, .emitter, .representer, .dataCouldNotBeDecoded:
            SettingsProblem(.wholeFile(file), "this YAML can't be read")
        }
    }

    private static func place(of offset: Int, in text: String, file: String) -> SettingOrigin {
        let before = text.prefix(offset)
        let line = before.count { $0.isNewline } + 1
        return .file(file, line: line, column: before.reversed().prefix { !$0.isNewline }.count + 1)
    }
}
