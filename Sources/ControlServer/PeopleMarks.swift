internal import ControlAPI

/// What people say about the films that catalogs have.
struct PeopleMarks: Sendable {
    let service: any ControlService

    /// What stands for the favourites of the person whom a request names as `person`; nil where it names nobody, or no
    /// favourites are kept.
    func favourites(_ arguments: RequestArguments) async throws -> Set<String>? {
        guard let person = arguments.query("person") else { return nil }
        return try await service.favouriteFilms(of: person)
    }

    /// The set with marks on its rows.
    func put(on set: CatalogSetReply, _ favourites: Set<String>?) async throws -> CatalogSetReply {
        try await set.marked(by: favourites, service)
    }
}
