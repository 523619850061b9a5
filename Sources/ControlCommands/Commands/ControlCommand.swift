internal import ArgumentParser

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
        try await ControlClient.open(socket: common.socketPath) { client in
            try await command.perform(Session(client: client, output: output))
        }
    }
}
