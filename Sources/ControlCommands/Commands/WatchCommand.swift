internal import ArgumentParser
internal import ControlAPI

struct WatchCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show changes as they happen, until interrupted."
    )

    @Option(help: ArgumentHelp("Start after this change instead of now.", valueName: "sequence number"))
    var after: Int64?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let client = session.client
        let newest = try await session.lastChange(from: after)
        var last = after ?? newest
        while true {
            // A daemon that was started anew may have other collections.
            let schemas = await session.shownSchemas()
            let change = try await client.changes(after: last) { change in
                try session.output.show(ChangeAnswer(reply: change, schemas: schemas))
            }
            if let change {
                last = change.seq
            } else {
                // A stream that ends at once, again and again, must not become a busy loop.
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}

extension Session {
    /// The number of the last change.
    ///
    /// - Throws: where there is no change `after` yet: it is the number of another feed.
    func lastChange(from after: Int64?) async throws -> Int64 {
        let newest = try await client.status().lastChange
        guard let after, after > newest else { return newest }
        throw CommandFailure(
            .badData, "there is no change \(after): the last one is \(newest), so read on with --after \(newest)")
    }
}
