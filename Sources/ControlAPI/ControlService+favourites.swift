extension ControlService {
    /// What stands in keys for the films that a person likes best; nil where no favourites are kept.
    package func favouriteFilms(of person: String) async throws -> Set<String>? {
        do {
            return Set(FavouriteReply.all(try await records(in: "favourites", under: person)).map(\.film))
        } catch let error as ControlError where error.code == "unknownCollection" {
            return nil
        }
    }
}
