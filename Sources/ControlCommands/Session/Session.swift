internal import ArgumentParser
internal import ControlAPI

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

/// What a running command works with.
struct Session: Sendable {
    let client: ControlClient
    let output: Output
}

extension Session {
    /// The full id that `prefix` stands for; asks the daemon unless it is whole already.
    func recordID(_ prefix: String, in collection: CollectionName) async throws -> RecordPrefix {
        let prefix = try RecordPrefix(prefix)
        guard !prefix.isWhole else { return prefix }
        return try RecordPrefix(try await client.record(prefix, in: collection).id)
    }
}
