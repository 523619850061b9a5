internal import FoundationEssentials
internal import SystemPackage

/// The folder where a service manager puts a unit's credentials (`CREDENTIALS_DIRECTORY`).
struct CredentialFolder {
    /// nil where nothing was handed over.
    let path: String?

    /// Where a file of this name is: what has no slash at its beginning is looked for among the credentials first, then
    /// in `folder`.
    func place(of name: String, otherwiseIn folder: FilePath) -> FilePath {
        if let path, !name.hasPrefix("/") {
            let credential = FilePath(path).appending(name)
            if FileManager.default.fileExists(atPath: credential.string) { return credential }
        }
        return folder.pushing(FilePath(name)).lexicallyNormalized()
    }
}
