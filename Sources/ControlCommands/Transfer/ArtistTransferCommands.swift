internal import ArgumentParser
internal import ControlAPI
internal import SyncModel

struct ArtistExportCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write all saved artists into a file of JSON, or a property list.",
        discussion: "What is not known of an artist is left out. A file that is there already is replaced.")

    @OptionGroup var export: ExportOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let records: [RecordReply] = try await session.client.all(
            "\(ControlRoute.records)/\(ArtistCommand.collectionName)")
        let artists = records.map { record in
            var fields = record.fields.filter { $0.value != .null }
            fields["id"] = .string(record.id)
            return JSONValue.object(fields)
        }
        try export.write(.array(artists), session.output)
    }
}

struct ArtistImportCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Save the artists of a file of JSON, or a property list.",
        discussion: """
            An array of dictionaries with 'name', and 'biography' and 'yearFormed' where they are known; one dictionary is \
            one artist. Whoever has an 'id' becomes, or replaces, the artist with this id. Without one the id follows from \
            the rest, so that a file that is imported twice is saved once; what was changed since gets what the file says, \
            and keeps everything else. Who is saved already as the file has it is left alone, and counted. A file with \
            anything wrong is not saved at all.
            """)

    @Argument(help: "The file; - is standard input.")
    var file: String

    @OptionGroup var append: AppendOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let value = try PropertyFile.read(file)
        let target = try await session.editTarget(append.journal)
        let artists = try ArtistFile(value, try await session.schema(of: ArtistCommand.collectionName, target))
        let saved = target.isRead ? try await session.saved(artists) : [:]
        let open = append.waiting == nil ? [] : Set(saved.keys.filter { saved[$0]?.pending ?? false })
        let edits = artists.edits(over: saved.mapValues(\.fields), open: open)
        try await session.append(edits, append, to: target)
        let same = artists.count - edits.count
        if same > 0 {
            Output.note(
                "saved already as the file says: \(same.grouped) of \(Formatted.count(artists.count, "artist"))")
        }
    }
}

extension Session {
    /// Those artists of a file that are saved already.
    fileprivate func saved(_ artists: ArtistFile) async throws -> [RecordID: RecordReply] {
        var saved: [RecordID: RecordReply] = [:]
        do {
            let path = "\(ControlRoute.records)/\(ArtistCommand.collectionName)"
            try await client.pages(path) { (records: [RecordReply]) in
                for record in records {
                    if let id = RecordID(record.id), artists.contains(id) { saved[id] = record }
                }
            }
        } catch let failure as CommandFailure where failure.code == .notRunning {
            throw failure.withNothingSaved
        }
        return saved
    }
}
