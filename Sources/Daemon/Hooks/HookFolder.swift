internal import FoundationEssentials
internal import HookDelivery
internal import OperatingSystem
internal import PluginLink
internal import SyncModel
internal import SystemPackage

/// The programs of the folder `hooks.d` beside the configuration: each is told of every change.
enum HookFolder {
    static let name = "hooks.d"
    /// What editors and package managers leave behind.
    private static let leftovers = ["~", ".bak", ".old", ".orig", ".swp", ".dpkg-dist", ".dpkg-old", ".dpkg-new"]

    /// The hooks of the folder, by name; those that can't be used say why.
    static func hooks(in folder: FilePath?) -> [HookSettings] {
        guard let folder, let names = try? Folder.names(in: folder.string) else { return [] }
        return names.compactMap { name in
            guard !name.hasPrefix("."), !name.hasPrefix("README"), !leftovers.contains(where: name.hasSuffix) else {
                return nil
            }
            return hook(name, folder.appending(name).string)
        }
    }

    private static func hook(_ name: String, _ path: String) -> HookSettings? {
        var objection: String?
        do throws(SystemError) {
            // As with units: a link to nowhere masks what has this name.
            if try FileIdentity.of(path: path).kind == .folder || Folder.resolved(path) == "/dev/null" { return nil }
            _ = try PluginProgram(path, searchPath: "")
        } catch {
            objection = "\(error)"
        }
        if !PluginName.isOne(name) { objection = "its name is none: use letters, digits, '.', '_' and '-', up to 64" }
        return HookSettings(name: name, way: .program(path), objection: objection)
    }
}
