internal import PluginKit
internal import SyncModel
internal import SystemPackage

/// A section of the file that is a map by names that people choose, so that its keys can't be declared one by one: what
/// those who read one share.
struct NamedSection {
    let yaml: YAMLSnapshot
    /// The collections that there are.
    let collections: [CollectionID]
    let credentials: CredentialFolder
    /// What relative paths start from.
    let folder: FilePath
    private(set) var problems: [SettingsProblem] = []

    init(_ yaml: YAMLSnapshot, _ collections: [CollectionID], _ credentials: CredentialFolder, _ folder: FilePath) {
        self.yaml = yaml
        self.collections = collections
        self.credentials = credentials
        self.folder = folder
    }

    mutating func complain(_ path: [String], atKey: Bool = false, _ message: String) {
        let element = yaml.elements[path]
        let place = (atKey ? element?.keyPlace : element?.valuePlace) ?? .wholeFile(yaml.file)
        problems.append(SettingsProblem(place, "\(path.joined(separator: ".")) \(message)"))
    }

    /// Complains about keys below `path` that are none of `keys`.
    mutating func checkKeys(_ path: [String], among keys: [String]) {
        for key in yaml.names(below: path) where !keys.contains(key) {
            complain(path + [key], atKey: true, "is an unknown key" + NearestName.hint(for: key, among: keys))
        }
    }

    /// Complains about names at `path` that no collection has.
    mutating func checkCollections(_ names: [String], _ path: [String]) {
        let all = collections.map(\.name)
        for name in names where !all.contains(name) {
            complain(
                path,
                "names \(SettingInput.quoted(name)), but the collections are \(all.joined(separator: ", "))"
                    + NearestName.hint(for: name, among: all))
        }
    }

    /// The absolute path of a file that the service manager may hand over as a credential.
    func secretFile(_ name: String) -> String { credentials.place(of: name, otherwiseIn: folder).string }
}
