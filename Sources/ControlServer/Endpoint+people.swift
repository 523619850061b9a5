internal import ControlAPI
internal import HTTPTypes
internal import Hummingbird
internal import SyncModel

extension Endpoint {
    /// What people say about films.
    static func people(_ service: any ControlService, _ artwork: any ArtworkService) -> [Endpoint] {
        [
            Endpoint(.get, ControlRoute.reviews) { _, _ in
                try .reply(Page(items: try await service.reviewTally().films))
            },
            Endpoint(.get, ControlRoute.reviews + "/:film") { request, context in
                let film = try RequestArguments(request, context).key("film")
                let reviews = try await service.records(in: "reviews", under: film)
                // Who does not keep votes can't count them.
                let hasVotes = service.schemas().contains { $0.name == "votes" }
                let votes = hasVotes ? try await service.records(in: "votes", under: film) : []
                let profiles = try await service.profiles(ofAuthorsOf: reviews)
                return try .reply(Page(items: ReviewReply.all(reviews, votes: votes, profiles: profiles)))
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
            Endpoint(.get, ControlRoute.picture(of: ":uid")) { request, context in
                let arguments = RequestArguments(request, context)
                let (person, width) = (try arguments.key("uid"), try arguments.width())
                guard let address = try await service.profile(of: person)?.fields["photo"]?.text else {
                    throw ControlError(404, "noPicture", "\(person) has no picture")
                }
                let picture = try await request.whileConnected {
                    Response.picture(
                        try await artwork.portrait(address, width: width), asked: request.headers[.ifNoneMatch],
                        // The same path shows the next picture of this person, too.
                        control: "private, no-cache")
                }
                return picture
            },
        ]
    }

    /// What changes what people have beside their records.
    static func changing(_ artwork: any ArtworkService) -> [Endpoint] {
        [
            Endpoint(
                .post, ControlRoute.picture(of: ":uid"), body: .bytes, maxBody: ControlRoute.maxPicture
            ) { request, context in
                let person = try RequestArguments(request, context).key("uid")
                let picture = try await request.body.collect(upTo: ControlRoute.maxPicture)
                return try .reply(try await artwork.store(Array(picture.readableBytesView), of: person))
            },
            Endpoint(.delete, ControlRoute.picture(of: ":uid")) { request, context in
                try await artwork.removePicture(of: try RequestArguments(request, context).key("uid"))
                return try .reply(DoneReply())
            },
        ]
    }
}
