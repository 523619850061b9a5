internal import ArgumentParser

/// A command that talks to the daemon, or to its journal, and shows an answer.
protocol ControlCommand: AsyncParsableCommand {
    var common: CommonOptions { get }

    /// Whether it says itself what is wrong with the configuration.
    static var looksAtConfiguration: Bool { get }

    /// Does what the command is for.
    func perform(_ session: Session) async throws
}

extension ControlCommand {
    static var looksAtConfiguration: Bool { false }

    mutating func run() async throws {
        let command = self
        let output = Output(json: common.json)
        let paths = common.paths
        for warning in await paths.unknownVariables() { Output.note(warning) }
        if common.socket == nil, !Self.looksAtConfiguration { try await paths.checkChosenConfiguration() }
        try await ControlClient.open(socket: await paths.controlSocket()) { client in
            try await command.perform(Session(client: client, output: output, paths: paths))
        }
    }
}
