internal import ArgumentParser
internal import ControlAPI
internal import FoundationEssentials

struct QuarantineExportCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the raw lines of items, to be corrected and appended to the journal.")

    @OptionGroup var selection: QuarantineSelection
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        var exported = 0
        for id in try await selection.numbers(session.client, allByDefault: true) {
            let detail: QuarantineDetailReply = try await session.client.get("\(ControlRoute.quarantine)/\(id)")
            guard let line = detail.line, detail.isWhole else {
                Output.note("item \(id) has no whole line to export: \(QuarantineExportCommand.place(detail))")
                continue
            }
            try session.output.write(
                line: detail.bytes.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? Array(line.utf8))
            exported += 1
        }
        if exported == 0, !selection.ids.isEmpty { throw CommandFailure(.badData, "there was no line to export") }
    }

    private static func place(_ detail: QuarantineDetailReply) -> String {
        guard let file = detail.item.file, let offset = detail.item.offset else { return "it came from the remote" }
        return "it stands in \(file) at byte \(offset)"
    }
}
