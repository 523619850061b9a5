internal import ArgumentParser
internal import ControlAPI

struct NodesCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "nodes", abstract: "Show the nodes that share the remote, and how far behind they are."
    )

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try session.output.show(NodesAnswer(nodes: try await session.client.nodes(), now: .now()))
    }
}
