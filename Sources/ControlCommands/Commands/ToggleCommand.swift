internal import ArgumentParser
internal import ControlAPI
internal import SyncModel

struct ToggleCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle", abstract: "Turn watched into not watched, and back."
    )

    @Argument(help: "The ids of the movies, or their beginnings.")
    var ids: [String]

    @OptionGroup var edit: EditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        var edits: [JournalEdit] = []
        for id in ids {
            let record = try await session.client.record(try RecordPrefix(id), in: edit.collection)
            guard !record.deleted else {
                throw CommandFailure(.badData, "\(record.id) is deleted; add it anew")
            }
            let watched = record.fields["hasWatched"]?.truth ?? false
            let whole = try RecordPrefix(record.id)
            edits.append(JournalEdit(.update, in: edit.collection, whole, fields: ["hasWatched": .bool(!watched)]))
        }
        try await session.append(edits, edit)
    }
}
