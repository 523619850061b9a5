// One kind of value after the other.

extension SettingKey where Value == String? {
    /// Any text; empty counts as not set.
    public static func text(_ name: String, type: String = "text", _ summary: String) -> Self {
        SettingKey(name, SettingType(type), fallback: nil, summary) { $0.text.isEmpty ? nil : $0.text }
    }

    /// A short text on one line; empty counts as not set.
    public static func label(_ name: String, _ summary: String) -> Self {
        SettingKey(name, SettingType("text"), fallback: nil, summary) { input throws(SettingComplaint) in
            guard !input.text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
                throw SettingComplaint("is \(input.quoted), but can't hold a control character")
            }
            let text = input.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            guard text.utf8.count <= 100 else { throw SettingComplaint("is too long: at most 100 bytes") }
            return text.isEmpty ? nil : text
        }
    }

    /// An absolute path; one that is set may not be empty.
    public static func path(_ name: String, _ summary: String) -> Self {
        SettingKey(name, SettingType("path"), fallback: nil, summary) { input throws(SettingComplaint) in
            guard !input.text.isEmpty else { throw SettingComplaint("is empty: name a path, or leave the key out") }
            return input.absolutePath(try input.checkedPath())
        }
    }

    /// The absolute path of a file; empty counts as not set.
    public static func file(_ name: String, _ summary: String) -> Self {
        SettingKey(name, SettingType("file"), fallback: nil, summary) { input throws(SettingComplaint) in
            input.text.isEmpty ? nil : input.absolutePath(try input.checkedPath())
        }
    }

    /// The absolute path of a file that the service manager may hand over as a credential; empty counts as not set.
    public static func secretFile(_ name: String, _ summary: String) -> Self {
        SettingKey(name, SettingType("file"), fallback: nil, summary) { input throws(SettingComplaint) in
            input.text.isEmpty ? nil : input.secretPath(try input.checkedPath())
        }
    }
}

extension SettingKey where Value: CaseIterable & RawRepresentable<String> {
    /// One of the words of an enumeration.
    public static func word(
        _ name: String, default value: Value, meanings: [Value: String] = [:], _ summary: String
    ) -> Self {
        let choices = Value.allCases.map { SettingType.Choice($0.rawValue, meanings[$0]) }
        return SettingKey(
            name, SettingType("word", choices: choices), builtIn: value.rawValue, fallback: value, summary
        ) { input throws(SettingComplaint) in
            guard let word = Value(rawValue: input.text) else {
                throw SettingComplaint(input.isNone(of: Value.allCases.map(\.rawValue)))
            }
            return word
        }
    }
}

extension SettingKey where Value == String {
    /// One of these words; the first one is the default.
    public static func word(_ name: String, of choices: [SettingType.Choice], _ summary: String) -> Self {
        let words = choices.map(\.word)
        return SettingKey(
            name, SettingType("word", choices: choices), builtIn: words.first, fallback: words.first ?? "", summary
        ) { input throws(SettingComplaint) in
            guard words.contains(input.text) else { throw SettingComplaint(input.isNone(of: words)) }
            return input.text
        }
    }

    /// A path in the database without slashes at its ends; empty for its root.
    public static func databasePath(_ name: String, default path: String, _ summary: String) -> Self {
        SettingKey(name, SettingType("database path"), builtIn: path, fallback: path, summary) {
            input throws(SettingComplaint) in try input.databasePath()
        }
    }
}

extension SettingKey where Value == [String] {
    /// A list of words.
    public static func list(_ name: String, default elements: [String], _ summary: String) -> Self {
        SettingKey(
            name, SettingType("list", isList: true), builtIn: elements.joined(separator: ","), fallback: elements,
            summary
        ) { $0.elements }
    }
}

extension SettingKey where Value == Bool {
    /// `true` or `false`.
    public static func bool(_ name: String, default value: Bool, _ summary: String) -> Self {
        let words = ["true", "false"]
        return SettingKey(
            name, SettingType("true or false"), builtIn: String(value), fallback: value, summary
        ) { input throws(SettingComplaint) in
            guard let value = Bool(input.text) else { throw SettingComplaint(input.isNone(of: words)) }
            return value
        }
    }
}

extension SettingKey where Value == Int {
    /// A whole number of MiB from 1 to 1048576.
    public static func mebibytes(_ name: String, default number: Int, _ summary: String) -> Self {
        SettingKey(
            name, SettingType("MiB"), builtIn: String(number), fallback: number, summary
        ) { input throws(SettingComplaint) in
            guard let number = Int(input.text), (1...1_048_576).contains(number) else {
                throw SettingComplaint("is \(input.quoted), but must be a whole number of MiB from 1 to 1048576")
            }
            return number
        }
    }
}

extension SettingKey where Value == Duration {
    /// A whole number above 0 with a unit: `250ms`, `60s`, `10m`, `2h`, `90d`.
    public static func duration(_ name: String, default text: String, _ summary: String) -> Self {
        SettingKey(
            name, SettingType("duration"), builtIn: text, fallback: Duration(setting: text) ?? .zero, summary
        ) { input throws(SettingComplaint) in
            if let duration = Duration(setting: input.text), duration > .zero { return duration }
            throw SettingComplaint(
                "is \(input.quoted), but must be a whole number above 0 and a unit: 250ms, 60s, 10m, 2h, 90d")
        }
    }
}

extension SettingInput {
    /// The words for people where the text is none of `words`.
    func isNone(of words: [String]) -> String {
        "is \(quoted), but must be one of \(words.joined(separator: ", "))" + NearestName.hint(for: text, among: words)
    }

    fileprivate func checkedPath() throws(SettingComplaint) -> String {
        guard !text.hasPrefix("~/"), text != "~" else {
            throw SettingComplaint("starts with ~, which only a shell understands: write the whole path")
        }
        guard !text.unicodeScalars.contains(where: { $0.value < 0x20 }) else {
            throw SettingComplaint("holds a control character")
        }
        return text
    }

    /// The text as a path in the database.
    ///
    /// - See: the key rules of the Realtime Database: no `. $ # [ ] /`, no control characters, 768 bytes, 32 levels.
    public func databasePath() throws(SettingComplaint) -> String {
        guard !text.isEmpty else { return "" }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        for part in parts {
            if part.isEmpty {
                throw SettingComplaint(
                    "is \(quoted): write a path without slashes at its ends, such as shared/movies")
            }
            let wrong = part.unicodeScalars.first {
                ".$#[]".unicodeScalars.contains($0) || $0.value < 0x20 || $0.value == 0x7F
            }
            if let wrong {
                throw SettingComplaint("is \(quoted), but a path can't hold \(Self.quoted(String(wrong)))")
            }
        }
        guard parts.count <= 28, parts.allSatisfy({ $0.utf8.count <= 768 }) else {
            throw SettingComplaint("is too long: at most 28 parts of 768 bytes")
        }
        return text
    }
}
