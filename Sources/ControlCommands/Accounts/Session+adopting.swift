internal import ControlAPI
internal import SyncModel

/// What was kept while nobody had signed in.
extension Session {
    /// Makes the favourites of nobody in particular, or of whom the configuration calls the user, those of a person; who has some
    /// of them already keeps their own.
    ///
    /// - Returns: how many there were.
    func adoptFavourites(of before: String, for person: String) async throws -> Int {
        guard before != person else { return 0 }
        let kept: [FavouriteReply]
        do {
            kept = try await favourites(of: before).items
        } catch let failure as CommandFailure where failure.word == "unknownCollection" {
            return 0
        }
        guard !kept.isEmpty else { return 0 }
        let target = try await editTarget(nil)
        let present = try await favouriteFilms(of: person)
        var edits: [JournalEdit] = []
        for favourite in kept {
            let film = FilmReference(key: favourite.film, title: favourite.title)
            var edit = try await self.favourite(film, called: favourite.title, person, target)
            // That it is handed over is seen by what the same write gives the other one.
            if present.contains(favourite.film) {
                let fields = edit.fields.filter { ["uid", "film", "title"].contains($0.key) }
                edit = JournalEdit(.update, in: FavouriteCommand.collection, edit.id, fields: fields)
            }
            edit.person = person
            edits.append(edit)
            var removal = JournalEdit(removingFavourite: favourite.film, of: before)
            removal.person = before
            edits.append(removal)
        }
        try await append(edits, to: target, waiting: nil) {}
        return kept.count
    }
}
