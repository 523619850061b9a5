internal import ArgumentParser
internal import ControlAPI

struct HookFailedCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "failed", abstract: "Show the events that hooks did not take, and that were put aside.")

    @Argument(help: "The hook's name; all of them without one.")
    var name: String?

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let query = name.map { ["hook": $0] } ?? [:]
        let page: Page<RefusedEventReply> = try await session.client.get(ControlRoute.hookEvents, query)
        try session.output.show(RefusedEventsAnswer(events: page.items, now: .now()))
    }
}
