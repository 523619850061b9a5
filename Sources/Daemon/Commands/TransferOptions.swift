internal import ArgumentParser
internal import Firebase
internal import FoundationEssentials
internal import Logging
internal import OperatingSystem
internal import PluginKit
internal import SyncModel

/// Which database, and which place in it, is exported or imported.
struct TransferOptions: ParsableArguments {
    @Option(help: "The address of the server.")
    var url = "http://127.0.0.1:9000"

    @Option(help: ArgumentHelp("The database, where the server has several.", valueName: "name"))
    var ns: String?

    @Option(help: "The place in the database.")
    var path = "/"

    @Option(
        help: ArgumentHelp(
            "A file of mode 0600 with a secret, a token, or the key of a service account.", valueName: "file"))
    var credentialFile: String?

    @Option(help: ArgumentHelp("More certificate authorities to trust, PEM.", valueName: "file"))
    var caFile: String?

    /// What a pause in an answer may last: large values take their time.
    private static let patience: Duration = .seconds(600)

    /// Runs `body` with the database; all connections are closed afterwards.
    func withDatabase<Result>(_ body: (FirebaseRemote) async throws -> Result) async throws -> Result {
        guard DatabaseAddress(url) != nil else {
            let shown = SettingInput.quoted(url)
            throw CommandFailure(.usage, "--url \(shown) is no address: write http://HOST:PORT or https://HOST")
        }
        guard FirebaseRemote.isPath(path) else {
            throw CommandFailure(.usage, "--path \(path) is no path: a key has none of . $ # [ ] and 768 bytes at most")
        }
        var settings = FirebaseSettings(url: url, namespace: ns, credential: try credential(), caFile: caFile)
        settings.timeouts.request = Self.patience
        let quiet = Logger(label: "moviesyncd") { _ in SwiftLogNoOpLogHandler() }
        let remote: FirebaseRemote
        do {
            remote = try FirebaseRemote(settings, logger: quiet)
        } catch {
            throw CommandFailure(.usage, TransferOptions.inOptions(error.message))
        }
        do {
            let result = try await body(remote)
            await remote.shutdown()
            return result
        } catch {
            await remote.shutdown()
            guard var failure = error as? RemoteError else { throw error }
            failure.message = TransferOptions.inOptions(failure.message)
            throw failure
        }
    }

    /// What is said of settings, said of options.
    private static func inOptions(_ message: String) -> String {
        message.replacing("remote.url", with: "--url").replacing("remote.tls.caFile", with: "--ca-file")
    }

    private func credential() throws -> FirebaseCredential {
        guard let credentialFile else { return .none }
        let bytes: [UInt8]
        do {
            bytes = try SecretFile.read(at: credentialFile)
        } catch {
            throw CommandFailure(error.isPermission ? .permission : .inputOutput, "--credential-file: \(error)")
        }
        if bytes.first == UInt8(ascii: "{") { return .serviceAccount(json: bytes, override: nil) }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
            throw CommandFailure(.usage, "\(credentialFile): the credential is empty, or not UTF-8 text")
        }
        return text == "owner" ? .emulator : .secret(text)
    }
}
