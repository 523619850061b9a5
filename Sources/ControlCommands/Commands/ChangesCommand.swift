internal import ArgumentParser
internal import ControlAPI

struct ChangesCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "changes", abstract: "Show past changes, one line each."
    )

    @Option(help: ArgumentHelp("Only changes after this one.", valueName: "sequence number"))
    var after: Int64 = 0

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let schemas = await session.shownSchemas()
        var query = ["limit": String(ControlRoute.maxLimit), "after": String(after)]
        while true {
            let page: Page<ChangeReply> = try await session.client.get(ControlRoute.changes, query)
            for change in page.items { try session.output.show(ChangeAnswer(reply: change, schemas: schemas)) }
            guard let next = page.next else { return }
            query["after"] = next
        }
    }
}
