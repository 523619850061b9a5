internal import ArgumentParser
internal import ControlAPI

struct QuarantineDropCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "drop", abstract: "Discard items.")

    @OptionGroup var selection: QuarantineSelection
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try await selection.decide("drop", session) { ids, reply in
            for id in ids { try session.output.show(ItemDoneAnswer("item \(id) is dropped", id, reply)) }
        }
    }
}
