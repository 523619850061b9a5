internal import ArgumentParser
internal import DatabaseServer
internal import FoundationEssentials
internal import SystemPackage

/// The flags of a server that runs by itself.
struct ServerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where to listen; port 0 takes any free one.", valueName: "host:port"))
    var listen = ListenAddress(host: "127.0.0.1", port: 9000)

    @Option(help: ArgumentHelp("The folder of the data.", valueName: "folder"))
    var data: String?

    @Option(help: "When a write is on the disk: before its answer, within a second, or whenever the system likes.")
    var fsync = Fsync.always

    @Option(
        help: ArgumentHelp("The time between two signs of life of an event stream.", valueName: "duration"),
        transform: ServerOptions.duration)
    var keepAlive = Duration.seconds(30)

    @Option(help: ArgumentHelp("Security rules in JSON, for databases without rules of their own.", valueName: "file"))
    var rules: String?

    @Option(
        help: ArgumentHelp(
            "A file of mode 0600 with one line: whoever sends it as token is an administrator.", valueName: "file"))
    var secretFile: String?

    @Option(
        help: ArgumentHelp(
            "What ID tokens are signed with: public keys or certificates in PEM, a JSON Web Key Set, Google's object of certificates, or one line of 32 bytes or more for HS256.",
            valueName: "file"))
    var tokenKey: String?

    @Option(help: ArgumentHelp("The project that ID tokens must be for.", valueName: "id"))
    var project: String?

    @Option(help: ArgumentHelp("Speak TLS with this certificate, and those that follow it; PEM.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The certificate's private key, a PEM file of mode 0600.", valueName: "file"))
    var tlsKey: String?

    @Flag(help: "Believe \"Bearer owner\" and unsigned ID tokens, as Firebase's emulator does.")
    var emulator = false

    @Flag(help: "Listen where other machines can reach it, also without TLS or rules.")
    var insecure = false

    func validate() throws {
        if (tlsCert == nil) != (tlsKey == nil) {
            throw ValidationError("--tls-cert and --tls-key belong together: give both, or neither")
        }
        if project != nil, tokenKey == nil, !emulator {
            throw ValidationError("--project says whose ID tokens count, and needs --token-key")
        }
    }

    /// All of it with absolute paths. Throws where the files can't be used, or where others could reach the server and
    /// nothing would stop them.
    func settings(_ environment: [String: String]) throws -> Settings.Local {
        var local = Settings.Local(listen: listen, data: try folder(environment))
        let credentials = environment["CREDENTIALS_DIRECTORY"]
        func place(_ name: String) -> FilePath {
            LocalFiles.place(of: name, in: workingDirectory, credentials: credentials)
        }
        local.fsync = fsync
        local.keepAlive = keepAlive
        local.rules = rules.map(place)
        local.secret = secretFile.map(place)
        local.tokenKey = tokenKey.map(place)
        local.project = project
        local.isEmulator = emulator
        local.isInsecure = insecure
        local.certificate = tlsCert.map(place)
        local.key = tlsKey.map(place)
        guard local.isInsecure || !local.isExposed else {
            let advice = emulator ? "leave out --emulator" : "give --tls-cert, --tls-key and --rules"
            throw Failure(
                .configuration, "--listen \(listen): other machines can reach it; \(advice), or say --insecure")
        }
        return local
    }

    private static func duration(_ text: String) throws -> Duration {
        guard let duration = Duration(setting: text), duration > .zero else {
            throw ValidationError("it must be a whole number above 0 and a unit: 250ms, 30s, 1m")
        }
        return duration
    }

    private func folder(_ environment: [String: String]) throws -> FilePath {
        if let data { return workingDirectory.pushing(FilePath(data)).lexicallyNormalized() }
        guard let state = StandardPaths(environment: environment, userID: 0).state else {
            throw Failure(.configuration, "there is no place for the data: set --data or HOME")
        }
        return state.appending("firebase")
    }

    private var workingDirectory: FilePath { FilePath(FileManager.default.currentDirectoryPath) }
}

extension Fsync: ExpressibleByArgument {}
