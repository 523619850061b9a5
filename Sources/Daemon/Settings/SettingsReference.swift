internal import PluginKit

/// All keys for people, made from their declarations: the table of the documents and the example file.
struct SettingsReference {
    let schema: SettingsSchema

    init(_ schema: SettingsSchema) { self.schema = schema }

    /// The top-level sections with their keys, in the order of the documents; keys without a section come first, with
    /// an empty name.
    var sections: [(name: String, keys: [SettingDeclaration])] {
        var sections: [(name: String, keys: [SettingDeclaration])] = []
        for key in schema.declarations {
            let name = key.path.count > 1 ? key.path[0] : ""
            if let index = sections.firstIndex(where: { $0.name == name }) {
                sections[index].keys.append(key)
            } else {
                sections.append((name, [key]))
            }
        }
        return sections
    }

    /// What stands above a section; nil where the keys say it.
    func introduction(of section: String) -> String? {
        schema.remotes.contains { $0.name == section } ? "Used by \"plugin: \(section)\"." : nil
    }
}
