internal import DatabaseServer
internal import OperatingSystem
internal import PluginKit
internal import PluginLink
internal import SystemPackage

/// The files that guard the built-in hub, each read and checked.
struct LocalFiles {
    /// Reads a file whose content must not be seen by others.
    typealias SecretReader = @Sendable (String) throws -> [UInt8]

    /// The server's configuration, as far as the files make it.
    private(set) var configuration: ServerConfiguration
    /// What is wrong, by the key that names the file; no content of a file is repeated.
    private(set) var problems: [(key: SettingKey<String?>, message: String)] = []
    private let readSecret: SecretReader

    init(_ local: LocalSettings, readSecret: @escaping SecretReader) {
        self.readSecret = readSecret
        configuration = ServerConfiguration(data: local.data.string)
        configuration.rules = local.rules?.string
        if let file = local.secret, let text = content(LocalKeys.secret, file, isSecret: true) {
            check(LocalKeys.secret, "\(file): ") { try $0.setSecret(text) }
        }
        if let file = local.tokenKey, let text = content(LocalKeys.tokenKey, file, isSecret: false) {
            check(LocalKeys.tokenKey, "\(file): ") { try $0.setTokenKeys(text) }
            // A key that signs as well as verifies must not be seen by others.
            if configuration.tokenKeysAreSecret { _ = content(LocalKeys.tokenKey, file, isSecret: true) }
        }
        if let certificate = local.certificate, let key = local.key,
            let chain = content(LocalKeys.certificate, certificate, isSecret: false),
            let secret = content(LocalKeys.key, key, isSecret: true)
        {
            check(LocalKeys.certificate, "\(certificate) and \(key): ") {
                try $0.setTLS(certificates: chain, key: secret)
            }
        }
        check(LocalKeys.rules) { try $0.checkRules() }
        if let program = local.codesTo?.string {
            check(LocalKeys.codesTo) { _ in _ = try PluginProgram(program, searchPath: "") }
        }
    }

    private mutating func content(_ key: SettingKey<String?>, _ file: FilePath, isSecret: Bool) -> [UInt8]? {
        do {
            if isSecret { return try readSecret(file.string) }
            let open = try ReadableFile(path: file.string)
            return try open.read(at: 0, count: 1 << 20)
        } catch {
            problems.append((key, (error as? CommandFailure)?.message ?? "\(error)"))
            return nil
        }
    }

    /// - Parameter place: what the server's own message does not say.
    private mutating func check(
        _ key: SettingKey<String?>, _ place: String = "", _ body: (inout ServerConfiguration) throws -> Void
    ) {
        do {
            try body(&configuration)
        } catch {
            problems.append((key, place + ((error as? ServerError)?.message ?? "\(error)")))
        }
    }
}
