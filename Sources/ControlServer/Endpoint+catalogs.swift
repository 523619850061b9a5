internal import ControlAPI
internal import HTTPTypes
internal import Hummingbird
internal import SyncModel

extension Endpoint {
    /// What anybody who can connect may ask of catalogs: nothing of it changes a record.
    ///
    /// - Parameter marks: what people say, and of the person whom a request names as `person` what that one likes best.
    static func catalogs(_ service: any CatalogService, marks: PeopleMarks) -> [Endpoint] {
        finding(service, marks) + listing(service, marks) + holding(service, marks) + following(service)
    }

    private static let root = ControlRoute.catalogs

    /// What is found at a source; who goes away meanwhile waits for nothing.
    private static func finding(_ service: any CatalogService, _ marks: PeopleMarks) -> [Endpoint] {
        [
            Endpoint(.get, root) { _, _ in try .reply(Page(items: await service.catalogs())) },
            Endpoint(.get, root + "/:name/search") { request, context in
                let arguments = RequestArguments(request, context)
                let order = CatalogSearchOrder(query: arguments.query("query") ?? "", year: try arguments.year())
                let (name, user) = (arguments.part("name"), await context.user())
                let favourites = try await marks.favourites(arguments)
                return try await request.whileConnected {
                    let found = try await service.search(name, order, user: user)
                    return try .reply(try await marks.put(on: found, favourites))
                }
            },
            Endpoint(.post, root + "/:name/search", changes: false) { request, context in
                let order = try await request.read(CatalogSearchOrder.self)
                let name = RequestArguments(request, context).part("name")
                return try .reply(try await service.search(name, order, user: await context.user()))
            },
            Endpoint(.get, root + "/:name/items/:key") { request, context in
                let arguments = RequestArguments(request, context)
                let (name, key) = (arguments.part("name"), arguments.part("key"))
                return try await request.whileConnected {
                    try .reply(try await service.item(PercentEncoding.decoded(key[...]) ?? key, of: name))
                }
            },
        ]
    }

    /// What sources have to show; who goes away meanwhile waits for nothing.
    private static func listing(_ service: any CatalogService, _ marks: PeopleMarks) -> [Endpoint] {
        [
            Endpoint(.get, root + "/home") { request, context in
                let user = await context.user()
                let favourites = try await marks.favourites(RequestArguments(request, context))
                return try await request.whileConnected {
                    var home = await service.home(user: user)
                    for index in home.sections.indices {
                        guard let set = home.sections[index].set else { continue }
                        home.sections[index].set = try await marks.put(on: set, favourites)
                    }
                    return try .reply(home)
                }
            },
            Endpoint(.get, root + "/:name/lists/:list") { request, context in
                let arguments = RequestArguments(request, context)
                let (name, list) = (arguments.part("name"), arguments.part("list"))
                let (order, user) = (CatalogListOrder(region: arguments.query("region")), await context.user())
                let favourites = try await marks.favourites(arguments)
                return try await request.whileConnected {
                    let found = try await service.list(name, list, order, user: user)
                    return try .reply(try await marks.put(on: found, favourites))
                }
            },
            Endpoint(.post, root + "/:name/lists/:list", changes: false) { request, context in
                let arguments = RequestArguments(request, context)
                var order = CatalogListOrder(region: arguments.query("region"))
                let isOrdered = try await request.body.collect(upTo: ControlRoute.maxBody).readableBytes > 0
                if isOrdered { order = try await request.read(CatalogListOrder.self) }
                let found = try await service.list(
                    arguments.part("name"), arguments.part("list"), order, user: await context.user())
                return try .reply(try await marks.put(on: found, try await marks.favourites(arguments)))
            },
        ]
    }

    /// What is held of it.
    private static func holding(_ service: any CatalogService, _ marks: PeopleMarks) -> [Endpoint] {
        [
            Endpoint(.get, root + "/sets/:id") { request, context in
                let arguments = RequestArguments(request, context)
                let view = CatalogSetView(
                    filter: arguments.query("filter"), from: try arguments.from(), limit: try arguments.limit(),
                    collection: arguments.query("collection"))
                let set = try await service.set(arguments.part("id"), view, user: await context.user())
                return try .reply(try await marks.put(on: set, try await marks.favourites(arguments)))
            },
            Endpoint(.delete, root + "/sets/:id") { request, context in
                try await service.drop(set: RequestArguments(request, context).part("id"), user: await context.user())
                return try .reply(DoneReply())
            },
            Endpoint(.post, root + "/sets/:id/more", words: ["again", "person"]) { request, context in
                let arguments = RequestArguments(request, context)
                let again = try arguments.flag("again")
                let set = try await service.more(of: arguments.part("id"), again: again, user: await context.user())
                return try .reply(try await marks.put(on: set, try await marks.favourites(arguments)))
            },
            Endpoint(.post, root + "/sets/:id/picks", body: .order(CatalogPickOrder.self)) { request, context in
                let order = try await request.read(CatalogPickOrder.self)
                let id = RequestArguments(request, context).part("id")
                return try .reply(try await service.picks(from: id, order, user: await context.user()))
            },
        ]
    }

    /// Searches that follow what is typed.
    private static func following(_ service: any CatalogService) -> [Endpoint] {
        [
            Endpoint(.get, root + "/:name/live") { request, context in
                let name = RequestArguments(request, context).part("name")
                return .eventStream(
                    try await service.live(name, user: await context.user()), of: request, id: \.step)
            },
            Endpoint(.post, root + "/live/:id", body: .order(CatalogLiveOrder.self)) { request, context in
                let order = try await request.read(CatalogLiveOrder.self)
                try await service.tell(live: RequestArguments(request, context).part("id"), order)
                return try .reply(DoneReply())
            },
        ]
    }
}

extension RequestArguments {
    fileprivate func year() throws -> Int? {
        guard let text = query("year") else { return nil }
        guard let year = Int(text), (1800...2200).contains(year) else {
            throw ControlError.badRequest("badYear", "year is a year, such as 1979")
        }
        return year
    }

    fileprivate func from() throws -> Int {
        guard let text = query("from") else { return 1 }
        guard let from = Int(text), from > 0 else {
            throw ControlError.badRequest("badFrom", "from is the number of a row, 1 or higher")
        }
        return from
    }
}
