internal import FoundationEssentials
internal import OperatingSystem
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
            // A service has no business in anybody's home, and often may not even look there.
            let isService = environment["STATE_DIRECTORY"] != nil
            file = paths.configurations.first {
                ConfigurationPlaces.isThere($0, mayBeHidden: !isService || $0.starts(with: "/etc"))
            }
        }
        folders = (file.map { [$0] } ?? paths.configurations).map { $0.removingLastComponent() }
    }

    /// - Parameter mayBeHidden: whether a file counts that stands where this process may not look.
    private static func isThere(_ file: FilePath, mayBeHidden: Bool) -> Bool {
        do {
            _ = try FileIdentity.of(path: file.string)
            return true
        } catch {
            return mayBeHidden && error.isPermission
        }
    }

    /// The folder of this name beside the configuration; nil where there is none.
    func folder(_ name: String) -> FilePath? {
        folders.map { $0.appending(name) }.first { folder in
            var isFolder = false
            return FileManager.default.fileExists(atPath: folder.string, isDirectory: &isFolder) && isFolder
        }
    }
}
