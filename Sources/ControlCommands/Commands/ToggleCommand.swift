internal import ArgumentParser
internal import ControlAPI
internal import SyncModel

struct ToggleCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle", abstract: "Mark watched movies as not watched, and the others as watched."
    )

    @Argument(help: "The ids of the movies; a unique prefix is enough.")
    var ids: [String]

    @OptionGroup var edit: EditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let target = try await session.editTarget(edit.journal)
        let schema = try await session.schema(of: edit.collection, target)
        var edits: [JournalEdit] = []
        for id in ids {
            let record = try await session.edited(id, in: edit.collection, target)
            let watched = record.fields[WatchedField.name]?.truth ?? false
            let whole = try RecordPrefix(record.id)
            let fields = try WatchedField.set(!watched, in: schema)
            edits.append(JournalEdit(.update, in: edit.collection, whole, fields: fields))
        }
        try await session.append(edits, edit, to: target)
    }
}
