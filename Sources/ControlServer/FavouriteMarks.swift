internal import ControlAPI

/// Which films the people who ask like best.
struct FavouriteMarks: Sendable {
    let service: any ControlService

    /// What stands for the favourites of the person whom a request names as `person`; nil where it names nobody, or no
    /// favourites are kept.
    func named(by arguments: RequestArguments) async throws -> Set<String>? {
        guard let person = arguments.query("person") else { return nil }
        do {
            let favourites = try await service.records(in: "favourites", under: person)
            return Set(FavouriteReply.all(favourites).map(\.film))
        } catch let error as ControlError where error.code == "unknownCollection" {
            return nil
        }
    }
}
