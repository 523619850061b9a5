internal import DatabaseServer
internal import FoundationEssentials
internal import HTTPListening
internal import OperatingSystem
internal import SystemPackage

/// What the files that guard the embedded server hold, each read and checked.
struct LocalFiles {
    var secret: AdminSecret?
    var tokenKeys: TokenKeys?
    var encryption: ServerTLS?
    /// What is wrong, by the key that names the file; no content of a file is repeated.
    private(set) var problems: [(key: SettingKey, message: String)] = []

    /// - Parameter credentials: the folder where the service manager puts secrets, which are not to be checked there.
    init(_ local: Settings.Local, credentials: String?) {
        if let file = local.secret, let text = content(.localSecret, file, isSecret: true, credentials) {
            secret = read(.localSecret) { try LocalFiles.line(text, file) }.map { AdminSecret($0) }
        }
        if let file = local.tokenKey { readTokenKeys(file, credentials) }
        if let certificate = local.certificate, let key = local.key {
            readEncryption(certificate, key, credentials)
        }
        guard local.rules != nil else { return }
        var options = ServerConfiguration(data: "")
        options.rules = local.rules?.string
        _ = read(.localRules) { try options.checkRules() }
    }

    /// Where a file of this name is: what has no slash at its beginning is looked for among the service manager's
    /// credentials first, then in `folder`.
    static func place(of name: String, in folder: FilePath, credentials: String?) -> FilePath {
        if let credentials, !name.hasPrefix("/") {
            let path = FilePath(credentials).appending(name)
            if FileManager.default.fileExists(atPath: path.string) { return path }
        }
        return folder.pushing(FilePath(name)).lexicallyNormalized()
    }

    private mutating func readTokenKeys(_ file: FilePath, _ credentials: String?) {
        guard let text = content(.localTokenKey, file, isSecret: false, credentials) else { return }
        tokenKeys = read(.localTokenKey) {
            do throws(ServerError) {
                return try TokenKeys(text)
            } catch {
                throw Failure(.configuration, "\(file): \(error.message)")
            }
        }
        // A key that signs as well as verifies must not be seen by others.
        if tokenKeys?.isSecret == true { _ = content(.localTokenKey, file, isSecret: true, credentials) }
    }

    private mutating func readEncryption(_ certificate: FilePath, _ key: FilePath, _ credentials: String?) {
        guard let chain = content(.localCertificate, certificate, isSecret: false, credentials),
            let secret = content(.localKey, key, isSecret: true, credentials)
        else { return }
        encryption = read(.localCertificate) {
            do {
                return try ServerTLS(certificates: chain, key: secret)
            } catch {
                throw Failure(.configuration, "\(certificate) and \(key): \(error)")
            }
        }
    }

    private mutating func content(
        _ key: SettingKey, _ file: FilePath, isSecret: Bool, _ credentials: String?
    ) -> [UInt8]? {
        read(key) {
            if isSecret { return try SecretFile.read(at: file.string, credentials: credentials) }
            let open = try ReadableFile(path: file.string)
            return try open.read(at: 0, count: 1 << 20)
        }
    }

    private mutating func read<Value>(_ key: SettingKey, _ body: () throws -> Value) -> Value? {
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
