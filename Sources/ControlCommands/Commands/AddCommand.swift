internal import ArgumentParser
internal import ControlAPI
internal import JSONText
internal import SyncModel

struct AddCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a record, and print its id.",
        discussion: "The record is appended to the journal, so this works while the daemon is down."
    )

    @Argument(help: "The title of the movie; in other collections, the value of the title field.")
    var title: String

    @Flag(help: "Mark the movie as watched.")
    var watched = false

    @Option(name: .customLong("field"), help: ArgumentHelp("Another field.", valueName: "name=value"))
    var fields: [String] = []

    @OptionGroup var edit: EditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        guard title.contains(where: { !$0.isWhitespace }) else {
            throw CommandFailure(.usage, "the title must not be empty")
        }
        let target = try await session.editTarget(edit.journal)
        let schema = try await session.schema(of: edit.collection, target)
        let given = try [String: JSONValue](assignments: fields, in: schema)
        guard given[schema.titleField] == nil else {
            throw CommandFailure(.usage, "'\(schema.titleField)' is given more than once: the first argument is it")
        }
        var record = schema.defaults.merging(given) { $1 }
        record[schema.titleField] = .string(title)
        if watched { record.merge(try WatchedField.set(true, in: schema)) { $1 } }
        let id = try AddCommand.id(of: record, in: schema)
        try await session.append([JournalEdit(.create, in: edit.collection, id, fields: record)], edit, to: target)
    }

    /// A new id; where the key is made of fields, that of the record with this key.
    static func id(
        of record: [String: JSONValue], in schema: CollectionSchema
    ) throws(CommandFailure) -> RecordPrefix {
        do throws(Defect) {
            return RecordPrefix(of: try EditLine.id(creating: record, in: schema))
        } catch {
            throw CommandFailure(.badData, "\(error.message): give it with --field")
        }
    }
}
