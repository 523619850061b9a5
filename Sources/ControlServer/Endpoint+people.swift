internal import ControlAPI
internal import Hummingbird
internal import SyncModel

extension Endpoint {
    /// What people say about films.
    static func people(_ service: any ControlService) -> [Endpoint] {
        [
            Endpoint(.get, ControlRoute.reviews + "/:film") { request, context in
                let film = try RequestArguments(request, context).key("film")
                let reviews = try await service.records(in: "reviews", under: film)
                // Who does not keep votes can't count them.
                let hasVotes = service.schemas().contains { $0.name == "votes" }
                let votes = hasVotes ? try await service.records(in: "votes", under: film) : []
                return try .reply(Page(items: ReviewReply.all(reviews, votes: votes)))
            },
            Endpoint(.get, ControlRoute.favourites) { request, context in
                let person = RequestArguments(request, context).query("person") ?? ControlRoute.localPerson
                let favourites = try await service.records(in: "favourites", under: person)
                return try .reply(Page(items: FavouriteReply.all(favourites)))
            },
            Endpoint(.get, ControlRoute.profiles + "/:uid") { request, context in
                let person = try RequestArguments(request, context).key("uid")
                return try .reply(try await service.record(withKey: person, in: "profiles"))
            },
        ]
    }
}
