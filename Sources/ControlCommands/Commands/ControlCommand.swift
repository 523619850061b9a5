internal import ArgumentParser
internal import OperatingSystem

/// A command that talks to the daemon, or to its journal, and shows an answer.
protocol ControlCommand: AsyncParsableCommand {
    var common: CommonOptions { get }

    /// Does what the command is for.
    func perform(_ session: Session) async throws
}

extension ControlCommand {
    mutating func run() async throws {
        let command = self
        let output = Output(json: common.json)
        let paths = common.paths
        ThisProcess.ignoreClosedPipes()
        for warning in await paths.unknownVariables() { Output.note(warning) }
        try await ControlClient.open(socket: await paths.socket(chosen: common.socket)) { client in
            try await command.perform(Session(client: client, output: output, paths: paths))
        }
    }
}
