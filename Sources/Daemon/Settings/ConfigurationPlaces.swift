internal import FoundationEssentials
internal import SystemPackage

/// Where the configuration is looked for.
struct ConfigurationPlaces {
    /// The file that counts; nil where there is none.
    let file: FilePath?
    /// Where folders beside it may be, the first one that is there counts.
    private let folders: [FilePath]

    init(_ flags: SettingsFlags, _ environment: [String: String], _ workingDirectory: FilePath, _ userID: UInt32) {
        let paths = StandardPaths(environment: environment, userID: userID)
        if let config = flags.config {
            file = workingDirectory.pushing(FilePath(config)).lexicallyNormalized()
        } else {
            file = paths.configurations.first { FileManager.default.fileExists(atPath: $0.string) }
        }
        folders = (file.map { [$0] } ?? paths.configurations).map { $0.removingLastComponent() }
    }

    /// The folder of this name beside the configuration; nil where there is none.
    func folder(_ name: String) -> FilePath? {
        folders.map { $0.appending(name) }.first { folder in
            var isFolder = false
            return FileManager.default.fileExists(atPath: folder.string, isDirectory: &isFolder) && isFolder
        }
    }
}
