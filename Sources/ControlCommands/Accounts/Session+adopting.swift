internal import ControlAPI
internal import SyncModel

/// What was kept while nobody had signed in.
extension Session {
    /// Makes the favourites of nobody in particular those of a person; who has some of them already keeps their own.
    ///
    /// - Returns: how many there were.
    func adoptFavourites(for person: String) async throws -> Int {
        let kept: [FavouriteReply]
        do {
            kept = try await favourites(of: ControlRoute.localPerson).items
        } catch let failure as CommandFailure where failure.word == "unknownCollection" {
            return 0
        }
        guard !kept.isEmpty else { return 0 }
        let target = try await editTarget(nil)
        let present = try await favouriteFilms(of: person)
        var edits: [JournalEdit] = []
        for favourite in kept {
            let film = FilmReference(key: favourite.film, title: favourite.title)
            if !present.contains(favourite.film) {
                var edit = try await self.favourite(film, called: favourite.title, person, target)
                edit.person = person
                edits.append(edit)
            }
            var removal = try await removal(ofFavourite: film, favourite.title, of: ControlRoute.localPerson)
            removal.person = ControlRoute.localPerson
            edits.append(removal)
        }
        try await append(edits, to: target, waiting: nil) {}
        return kept.count
    }
}
