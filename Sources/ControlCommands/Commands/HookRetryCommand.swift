internal import ArgumentParser
internal import ControlAPI

struct HookRetryCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Have a hook go on at once, and try again what it did not take.",
        discussion: "A hook that is off, or waits after a failure, goes on too.")

    @Argument(help: "The hook's name.")
    var name: String

    @Argument(help: "The numbers of events that were put aside; all of them without one.")
    var events: [Int64] = []

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let query = events.isEmpty ? [:] : ["seq": events.map(String.init).joined(separator: ",")]
        let reply: HookOrderReply = try await session.client.post("\(ControlRoute.hooks)/\(name)/retry", query)
        let goesOn = events.isEmpty ? "the hook \(name) goes on; " : ""
        try session.output.show(HookOrderAnswer("tried again", after: goesOn, reply: reply))
    }
}

struct HookDropCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Give up events that a hook did not take.")

    @Argument(help: "The hook's name.")
    var name: String

    @Argument(help: "The numbers of the events.")
    var events: [Int64]

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let query = ["seq": events.map(String.init).joined(separator: ",")]
        let reply: HookOrderReply = try await session.client.post("\(ControlRoute.hooks)/\(name)/drop", query)
        try session.output.show(HookOrderAnswer("given up", reply: reply))
    }
}

/// What became of events.
private struct HookOrderAnswer: Answer {
    var reply: HookOrderReply
    private let beginning: String
    private let done: String

    /// - Parameter beginning: what comes before.
    init(_ done: String, after beginning: String = "", reply: HookOrderReply) {
        self.reply = reply
        self.beginning = beginning
        self.done = done
    }

    func text(_ style: Style) -> String {
        let events = "\(Formatted.count(reply.events, "event")) that \(reply.events == 1 ? "was" : "were") put aside"
        return beginning + events + (reply.events == 1 ? " is " : " are ") + done
    }
}
