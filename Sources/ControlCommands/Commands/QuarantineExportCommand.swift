internal import ArgumentParser
internal import ControlAPI
internal import FoundationEssentials
internal import OperatingSystem

struct QuarantineExportCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the raw lines of items, to be corrected and appended to the journal.")

    @OptionGroup var selection: QuarantineSelection
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        var missing = 0
        let ids = try await selection.numbers(session.client, allByDefault: true)
        for id in ids {
            let detail: QuarantineDetailReply = try await session.client.get("\(ControlRoute.quarantine)/\(id)")
            guard let line = detail.line, detail.isWhole else {
                Output.note("item \(id) has no whole line to export: \(QuarantineExportCommand.place(detail))")
                // What came from the remote has no line, and stays there.
                if detail.item.file != nil || !selection.ids.isEmpty { missing += 1 }
                continue
            }
            try session.output.write(
                line: detail.bytes.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? Array(line.utf8))
        }
        if selection.ids.isEmpty, Terminal.isTerminal(2), let last = ids.last {
            Output.note("that is all up to item \(last): 'moviesync quarantine drop --up-to \(last)' discards it")
        }
        if missing > 0 {
            let items = Formatted.count(missing, "item")
            throw CommandFailure(.badData, "\(items) could not be exported; the lines of all others are written")
        }
    }

    private static func place(_ detail: QuarantineDetailReply) -> String {
        guard let file = detail.item.file, let offset = detail.item.offset else { return "it came from the remote" }
        return "it stands in \(file) at byte \(offset)"
    }
}
