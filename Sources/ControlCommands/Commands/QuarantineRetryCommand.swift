internal import ArgumentParser
internal import ControlAPI

struct QuarantineRetryCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "retry", abstract: "Process items again.")

    @OptionGroup var selection: QuarantineSelection
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        var staying = 0
        try await selection.decide("retry", session) { ids, reply in
            let left = try await QuarantineRetryCommand.lines(ids, session.client)
            for id in ids {
                if let item = left[id] {
                    staying += 1
                    try session.output.show(ItemDoneAnswer(staying: item))
                } else {
                    try session.output.show(ItemDoneAnswer("item \(id) is retried", id, reply))
                }
            }
        }
        guard staying > 0 else { return }
        throw CommandFailure(.badData, "\(Formatted.count(staying, "line")) can't be applied now either")
    }

    /// Which of these are lines of the journal that are still there: what came from one is tried at once.
    private static func lines(_ ids: [Int64], _ client: ControlClient) async throws -> [Int64: QuarantineReply] {
        let wanted = Set(ids)
        // The list is in the order of numbers, and nothing that is not asked for stands between them.
        let items: [QuarantineReply] = try await client.all(
            ControlRoute.quarantine, ["after": String((ids.min() ?? 1) - 1)], limit: ids.count)
        let lines = items.filter { $0.source == .journal && wanted.contains($0.id) }
        return Dictionary(lines.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    }
}
