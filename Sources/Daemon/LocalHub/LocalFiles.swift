internal import DatabaseServer
internal import FoundationEssentials
internal import HTTPListening
internal import OperatingSystem
internal import PluginKit
internal import SystemPackage

/// What the files that guard the embedded server hold, each read and checked.
struct LocalFiles {
    /// Reads a file whose content must not be seen by others.
    typealias SecretReader = @Sendable (String) throws -> [UInt8]

    var secret: AdminSecret?
    var tokenKeys: TokenKeys?
    var encryption: ServerTLS?
    /// What is wrong, by the key that names the file; no content of a file is repeated.
    private(set) var problems: [(key: SettingKey<String?>, message: String)] = []
    private let readSecret: SecretReader

    init(_ local: LocalSettings, readSecret: @escaping SecretReader) {
        self.readSecret = readSecret
        if let file = local.secret, let text = content(LocalKeys.secret, file, isSecret: true) {
            secret = read(LocalKeys.secret) { try LocalFiles.line(text, file) }.map { AdminSecret($0) }
        }
        if let file = local.tokenKey { readTokenKeys(file) }
        if let certificate = local.certificate, let key = local.key { readEncryption(certificate, key) }
        guard local.rules != nil else { return }
        var options = ServerConfiguration(data: "")
        options.rules = local.rules?.string
        _ = read(LocalKeys.rules) { try options.checkRules() }
    }

    private mutating func readTokenKeys(_ file: FilePath) {
        guard let text = content(LocalKeys.tokenKey, file, isSecret: false) else { return }
        tokenKeys = read(LocalKeys.tokenKey) {
            do throws(ServerError) {
                return try TokenKeys(text)
            } catch {
                throw Failure(.configuration, "\(file): \(error.message)")
            }
        }
        // A key that signs as well as verifies must not be seen by others.
        if tokenKeys?.isSecret == true { _ = content(LocalKeys.tokenKey, file, isSecret: true) }
    }

    private mutating func readEncryption(_ certificate: FilePath, _ key: FilePath) {
        guard let chain = content(LocalKeys.certificate, certificate, isSecret: false),
            let secret = content(LocalKeys.key, key, isSecret: true)
        else { return }
        encryption = read(LocalKeys.certificate) {
            do {
                return try ServerTLS(certificates: chain, key: secret)
            } catch {
                throw Failure(.configuration, "\(certificate) and \(key): \(error)")
            }
        }
    }

    private mutating func content(_ key: SettingKey<String?>, _ file: FilePath, isSecret: Bool) -> [UInt8]? {
        let readSecret = readSecret
        return read(key) {
            if isSecret { return try readSecret(file.string) }
            let open = try ReadableFile(path: file.string)
            return try open.read(at: 0, count: 1 << 20)
        }
    }

    private mutating func read<Value>(_ key: SettingKey<String?>, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch let failure as Failure {
            problems.append((key, failure.message))
        } catch let error as ServerError {
            problems.append((key, error.message))
        } catch {
            problems.append((key, "\(error)"))
        }
        return nil
    }

    private static func line(_ content: [UInt8], _ file: FilePath) throws -> String {
        guard let text = String(validating: content, as: UTF8.self), !text.isEmpty,
            !text.contains(where: { $0.isNewline || $0.isWhitespace })
        else { throw Failure(.configuration, "\(file): the secret must be one line of text without spaces") }
        return text
    }
}
