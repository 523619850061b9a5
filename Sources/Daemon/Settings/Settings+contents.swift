internal import Crypto
internal import FoundationEssentials
internal import PluginKit
internal import SystemPackage

extension Settings {
    /// Notes what stands in declarations and in the files of the chosen remote, so that a reload can tell that one of them
    /// was renewed.
    mutating func note(_ folder: DeclaredFolder, _ remotes: [any RemotePlugin]) {
        declared = folder.digests
        for key in remotes.first(where: { $0.name == remotePlugin })?.keys ?? [] where key.type.isFile {
            guard let path = values.path(key.name), let data = try? Data(contentsOf: URL(filePath: path)) else {
                continue
            }
            contents[key.name] = Array(SHA256.hash(data: data))
        }
    }
}
