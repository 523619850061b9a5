internal import ArgumentParser
internal import ControlAPI

struct QuarantineRetryCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "retry", abstract: "Process items again.")

    @OptionGroup var selection: QuarantineSelection
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try await selection.decide("retry", session) { "item \($0) is retried" }
    }
}
