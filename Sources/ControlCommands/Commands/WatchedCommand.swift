internal import ArgumentParser
internal import SyncModel

struct WatchedCommand: ControlCommand {
    static let configuration = CommandConfiguration(commandName: "watched", abstract: "Mark movies as watched.")

    @Argument(help: "The ids of the movies, or their beginnings.")
    var ids: [String]

    @OptionGroup var edit: EditOptions
    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        try await session.mark(ids, hasWatched: true, edit)
    }
}

extension Session {
    /// Writes whether the movies have been watched.
    func mark(_ ids: [String], hasWatched: Bool, _ options: EditOptions) async throws {
        var edits: [JournalEdit] = []
        for id in ids {
            let id = try await recordID(id, in: options.collection)
            edits.append(JournalEdit(.update, in: options.collection, id, fields: ["hasWatched": .bool(hasWatched)]))
        }
        try await append(edits, options)
    }
}
