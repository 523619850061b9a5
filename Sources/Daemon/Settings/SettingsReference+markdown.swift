internal import PluginKit

extension SettingsReference {
    /// One table a section.
    var markdown: String {
        sections.map { section in
            let title = section.name.isEmpty ? "Files" : "`\(section.name)`"
            let introduction = introduction(of: section.name).map { "\($0)\n\n" } ?? ""
            let head = "| key | value | default | reload | what it does |\n|---|---|---|---|---|\n"
            return "### \(title)\n\n" + introduction + head + section.keys.map(row).joined()
        }.joined(separator: "\n")
    }

    private func row(_ key: SettingDeclaration) -> String {
        let names = ["`\(key.name)`", "`\(key.environmentName)`"] + [key.flag.map { "`--\($0)`" }].compactMap(\.self)
        let cells = [
            names.joined(separator: "<br>"), value(key), standard(key), key.isReloadable ? "yes" : "restart",
            words(key),
        ]
        return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }

    private func value(_ key: SettingDeclaration) -> String {
        key.type.choices.isEmpty ? key.type.name : key.type.choices.map { "`\($0.word)`" }.joined(separator: ", ")
    }

    private func standard(_ key: SettingDeclaration) -> String {
        if let builtIn = key.builtIn { return "`\(key.type.isList ? "[\(builtIn)]" : builtIn)`" }
        return key.fallback ?? "not set"
    }

    private func words(_ key: SettingDeclaration) -> String {
        let same = schema.declarations.first { $0.summary == key.summary && $0.type == key.type }
        if let same, same.name != key.name { return "As `\(same.name)`." }
        let meanings = key.type.choices.compactMap { choice in
            choice.meaning.map { "`\(choice.word)`: \($0)" }
        }
        return ([key.summary] + meanings).joined(separator: "<br>")
    }
}
