internal import ControlAPI
internal import JournalTail
internal import OperatingSystem
internal import SyncModel

/// One edit as the journal wants it.
struct JournalEdit: Hashable, Sendable {
    var kind: Operation.Kind
    var collection: CollectionName
    /// The record's whole id.
    var id: RecordPrefix
    /// The fields to write; nothing for a delete.
    var fields: [String: JSONValue]
    /// Makes the line harmless when it is read twice.
    var opID: String
    /// Who says it, by the `uid`.
    var person: String?

    init(
        _ kind: Operation.Kind, in collection: CollectionName, _ id: RecordPrefix, fields: [String: JSONValue] = [:]
    ) {
        self.kind = kind
        self.collection = collection
        self.id = id
        self.fields = fields
        opID = RecordID.random().description
    }

    /// Who writes, where a hook or a plugin runs the command: it is not told of its own edit then.
    private static let origin = ThisProcess.environment("MOVIESYNC_PLUGIN").flatMap { name in
        Change.Origin(rawValue: Change.Origin.plugin(name).rawValue)
    }

    /// The line, without its end, for an edit made at `moment`; a failure where the daemon would not take it.
    func line(at moment: Moment) throws(CommandFailure) -> [UInt8] {
        var edit = EditLine(kind, in: collection.id.name, id.text, fields: fields, opID: opID)
        edit.person = person
        edit.origin = JournalEdit.origin?.rawValue
        let line: [UInt8]
        do throws(Defect) {
            line = try edit.text(at: moment)
        } catch {
            throw CommandFailure(.badData, error.message)
        }
        guard line.count <= JournalFraming.maxLine else {
            throw CommandFailure(.badData, "the record has more than 1 MiB; make its fields shorter")
        }
        return line
    }
}
