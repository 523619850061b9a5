internal import PluginKit

extension SettingsReference {
    /// A complete configuration file: what has a default or a usual value is set, all else stands in comments.
    var yaml: String {
        let blocks = sections.map { section -> String in
            guard !section.name.isEmpty else { return lines(of: section.keys, at: 0).joined(separator: "\n") }
            let introduction = introduction(of: section.name).map { comment($0, 0) } ?? []
            return (introduction + ["\(section.name):"] + lines(of: section.keys, at: 1)).joined(separator: "\n")
        }
        return ([head] + blocks + [PluginSections.example, WebhookSections.example, UserSection.example]).joined(
            separator: "\n\n") + "\n"
    }

    private var head: String {
        """
        # Configuration of moviesyncd. Every key is here; those that are commented out are not set.
        # Check a change with "moviesyncd check-config", then "systemctl reload moviesyncd"; the log says what needs a restart.
        #
        # The environment overrides this file: MOVIESYNC_REMOTE_URL, MOVIESYNC_COLLECTIONS_ENABLED=movies,artists,
        # MOVIESYNC_COLLECTIONS_MOVIES_BASE, and so on for every key. Flags override both: --state, --journal, --socket,
        # --log-level. Relative paths start from the folder of this file. Nothing is replaced inside a value.
        # Durations: 250ms, 60s, 10m, 2h, 90d.
        """
    }

    /// The lines of keys whose names have the same first `depth` parts.
    private func lines(of keys: [SettingDeclaration], at depth: Int) -> [String] {
        var lines: [String] = []
        var done: Set<String> = []
        for key in keys {
            let part = key.path[depth]
            guard done.insert(part).inserted else { continue }
            let isFirst = lines.isEmpty
            if key.path.count > depth + 1 {
                let inner = keys.filter { $0.path[depth] == part }
                if !isFirst { lines.append("") }
                lines += [indent(depth) + part + ":"] + self.lines(of: inner, at: depth + 1)
            } else {
                let words = words(key, depth)
                if !isFirst, !words.isEmpty { lines.append("") }
                lines += words + [indent(depth) + line(key)]
            }
        }
        return lines
    }

    /// What stands above a key; nothing where another key of its kind has said it.
    private func words(_ key: SettingDeclaration, _ depth: Int) -> [String] {
        let same = schema.declarations.first { $0.summary == key.summary && $0.type == key.type }
        if let same, same.name != key.name { return [] }
        var lines = comment(key.summary, depth)
        let choices = key.type.choices
        if choices.contains(where: { $0.meaning == nil }) {
            lines += comment(choices.map(\.word).joined(separator: " | "), depth)
        }
        for choice in choices { lines += choice.meaning.map { comment("\(choice.word): \($0)", depth) } ?? [] }
        return lines
    }

    private func line(_ key: SettingDeclaration) -> String {
        let value = key.example ?? key.builtIn ?? ""
        let text = key.type.isList ? "[\(value.split(separator: ",").joined(separator: ", "))]" : value
        return (key.isSetInExample ? "" : "# ") + "\(key.path.last ?? key.name): \(text)"
    }

    private func indent(_ depth: Int) -> String { String(repeating: "  ", count: depth) }

    /// A text as comments of at most 120 columns.
    private func comment(_ text: String, _ depth: Int) -> [String] {
        text.wrapped(to: 120, prefix: indent(depth) + "#")
    }
}
