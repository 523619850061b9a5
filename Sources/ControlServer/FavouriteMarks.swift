internal import ControlAPI

/// Which films the people who ask like best.
struct FavouriteMarks: Sendable {
    let service: any ControlService

    /// What stands for the favourites of the person whom a request names as `person`; nil where it names nobody, or no
    /// favourites are kept.
    func named(by arguments: RequestArguments) async throws -> Set<String>? {
        guard let person = arguments.query("person") else { return nil }
        return try await service.favouriteFilms(of: person)
    }
}
