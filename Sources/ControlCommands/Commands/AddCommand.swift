internal import ArgumentParser
internal import SyncModel

struct AddCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a record, and print its id.",
        discussion: "Works while the daemon is down: the record is written to the journal."
    )

    @Argument(help: "The title of the movie, or the name of whatever the collection holds.")
    var title: String

    @Flag(help: "The movie has been watched.")
    var watched = false

    @Option(name: .customLong("field"), help: ArgumentHelp("Another field.", valueName: "name=value"))
    var fields: [String] = []

    @OptionGroup var edit: EditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        guard title.contains(where: { !$0.isWhitespace }) else {
            throw CommandFailure(.usage, "the title is empty; give one")
        }
        var record = [String: JSONValue](try fields.map { try FieldAssignment($0) })
        record[edit.collection.titleField] = .string(title)
        if edit.collection == .movies || watched { record["hasWatched"] = .bool(watched) }
        let id = try RecordPrefix(RecordID.random().description)
        try await session.append([JournalEdit(.create, in: edit.collection, id, fields: record)], edit)
    }
}
