internal import ArgumentParser
internal import ControlAPI

struct ChangesCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes", abstract: "Show past changes, one line each."
    )

    @Option(help: ArgumentHelp("Only changes after this one.", valueName: "sequence number"))
    var after: Int64?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        _ = try await session.lastChange(from: after)
        guard session.output.json else { return try await text(session) }
        var listing = ListingJSON()
        try await pages(session) { changes in
            let items = try changes.map { Array(try ControlJSON.text($0)) }
            try session.output.write(listing.take(Array(items.joined(separator: [UInt8(ascii: ",")]))))
        }
        try session.output.write(line: listing.end())
    }

    private func text(_ session: Session) async throws {
        let schemas = await session.shownSchemas()
        try await pages(session) { changes in
            for change in changes { try session.output.show(ChangeAnswer(reply: change, schemas: schemas)) }
        }
    }

    private func pages(_ session: Session, _ body: ([ChangeReply]) throws -> Void) async throws {
        var query = ["limit": String(ControlRoute.maxLimit)]
        query["after"] = after.map(String.init)
        while true {
            let page: Page<ChangeReply> = try await session.client.get(ControlRoute.changes, query)
            try body(page.items)
            guard let next = page.next else { return }
            query["after"] = next
        }
    }
}
