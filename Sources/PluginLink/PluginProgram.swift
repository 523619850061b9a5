package import OperatingSystem

/// A program that may be started as a plugin.
package struct PluginProgram: Hashable, Sendable {
    /// Absolute.
    package let path: String

    /// Looks for a program, and refuses one that somebody else could have written.
    ///
    /// - Parameters:
    ///   - name: a path, or a name that is looked for in the folders of `searchPath`.
    ///   - searchPath: folders with colons between them.
    /// - Throws: where there is none, or it belongs to another user than root or this one, or others may write it, or it
    ///   runs as somebody else.
    package init(_ name: String, searchPath: String) throws(SystemError) {
        if name.contains("/") {
            path = name
        } else {
            let places = searchPath.split(separator: ":").map { Folder.path(name, in: String($0)) }
            guard let place = places.first(where: { (try? FileIdentity.of(path: $0))?.kind == .regular }) else {
                throw SystemError(
                    code: 0, operation: "find the program", path: name, detail: "it is in no folder of \(searchPath)")
            }
            path = place
        }
        let file = try FileIdentity.of(path: path)
        if let objection = PluginProgram.objection(to: file) {
            throw SystemError(code: 0, operation: "use the program", path: path, detail: objection)
        }
    }

    private static func objection(to file: FileIdentity) -> String? {
        if file.kind != .regular { return "it is no file" }
        if file.owner != 0, file.owner != ThisProcess.user {
            return "it belongs to another user (\(file.owner)); chown it to root"
        }
        if file.mode & 0o022 != 0 { return "others may write it (mode 0\(String(file.mode, radix: 8))); chmod go-w" }
        if file.mode & 0o6000 != 0 { return "it runs as another user or group; chmod ug-s" }
        return file.mode & 0o111 == 0 ? "it is not executable; chmod +x" : nil
    }
}
