internal import ControlAPI
internal import SyncModel

/// What was kept while nobody had signed in.
extension Session {
    /// Makes the favourites of nobody in particular, or of whom the configuration calls the user, those of a person, as
    /// they are; who has some of them already keeps their own.
    ///
    /// - Returns: how many there were.
    func adoptFavourites(of before: String, for person: String) async throws -> Int {
        guard before != person else { return 0 }
        let kept: [String: RecordReply]
        do {
            kept = try await favouriteRecords(of: before)
        } catch let failure as CommandFailure where failure.word == "unknownCollection" {
            return 0
        }
        guard !kept.isEmpty else { return 0 }
        let target = try await editTarget(nil)
        let present = try await favouriteRecords(of: person)
        var edits: [JournalEdit] = []
        for (film, record) in kept.sorted(by: { $0.key < $1.key }) {
            var edit: JournalEdit
            if let own = present[film] {
                // That it is handed over is seen by what the same write gives the other one.
                let fields = own.fields.filter { ["uid", "film", "title"].contains($0.key) }
                edit = JournalEdit(.update, in: FavouriteCommand.collection, try RecordPrefix(own.id), fields: fields)
            } else {
                let fields = record.fields.merging(["uid": .string(person)]) { $1 }
                edit = try await creation(of: fields, in: FavouriteCommand.collection, target)
            }
            edit.person = person
            var removal = JournalEdit(.delete, in: FavouriteCommand.collection, try RecordPrefix(record.id))
            removal.person = before
            edits += [edit, removal]
        }
        try await append(edits, to: target, waiting: nil) {}
        return kept.count
    }

    /// The records of a person's favourites, by what stands for their films.
    private func favouriteRecords(of person: String) async throws -> [String: RecordReply] {
        let own = RecordFilter([.init("uid", .equals, person)])
        let records: [RecordReply] = try await client.all(
            "\(ControlRoute.records)/\(FavouriteCommand.collection)", ["where": own.description])
        let named = records.compactMap { record in record.fields["film"]?.text.map { ($0, record) } }
        return Dictionary(named) { first, _ in first }
    }
}
