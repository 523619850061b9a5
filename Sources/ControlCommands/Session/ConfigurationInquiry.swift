internal import ControlAPI
internal import FoundationEssentials
internal import OperatingSystem
internal import Subprocess
internal import SystemPackage

/// Asks `moviesyncd` what the configuration says, so that there is one reader of it; each side once.
actor ConfigurationInquiry {
    private let config: String?
    private var known: [DefaultPaths.Side: ConfiguredPlaces?] = [:]

    /// - Parameter config: the file to read instead of those in their usual places.
    init(config: String?) { self.config = config }

    /// What the configuration of a daemon says; nil where there is no `moviesyncd`, or it is an older one.
    func places(of side: DefaultPaths.Side) async -> ConfiguredPlaces? {
        if let answer = known[side] { return answer }
        let answer = await asked(side)
        known[side] = answer
        return answer
    }

    /// Tries the remote as the configuration says; nil where there is no `moviesyncd`.
    func probe(_ side: DefaultPaths.Side) async -> (code: Int32, words: String)? {
        let arguments = ["check-config", "--probe"] + (config.map { ["--config", $0] } ?? [])
        let result = try? await Subprocess.run(
            ConfigurationInquiry.program, arguments: Arguments(arguments), environment: environment(of: side),
            input: .none, output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        guard let result, case .exited(let code) = result.terminationStatus else { return nil }
        let said = code == 0 ? result.standardOutput : result.standardError
        return (Int32(code), said.split(separator: "\n").last.map(String.init) ?? "it said nothing")
    }

    /// The socket that the tool was told is left out: it would be the answer, whichever daemon has it.
    private func asked(_ side: DefaultPaths.Side) async -> ConfiguredPlaces? {
        let arguments = ["places"] + (config.map { ["--config", $0] } ?? [])
        let result = try? await Subprocess.run(
            ConfigurationInquiry.program, arguments: Arguments(arguments),
            environment: environment(of: side).updating(["MOVIESYNC_SOCKET": nil]),
            input: .none, output: .string(limit: 1 << 24), error: .discarded)
        guard let result, case .exited(0) = result.terminationStatus else { return nil }
        return try? ControlJSON.read(ConfiguredPlaces.self, from: Data(result.standardOutput.utf8))
    }

    /// The program that belongs to this one; else the one that the shell would find.
    private static var program: Executable {
        let own = Folder.resolved("/proc/self/exe").map { Folder.path("moviesyncd", in: Folder.containing($0)) }
        guard let own, (try? FileIdentity.of(path: own)) != nil else { return .name("moviesyncd") }
        return .path(FilePath(own))
    }

    /// A system's daemon has no home, and the folders that its unit names.
    private func environment(of side: DefaultPaths.Side) -> Environment {
        guard side == .system else { return .inherit }
        return .inherit.updating([
            "HOME": nil, "XDG_CONFIG_HOME": nil, "XDG_STATE_HOME": nil, "XDG_RUNTIME_DIR": nil,
            "STATE_DIRECTORY": "/var/lib/moviesync", "RUNTIME_DIRECTORY": "/run/moviesync",
        ])
    }
}
