package import ControlAPI
internal import SyncModel
internal import Synchronization

/// Catalogs made of values; it notes what it was asked.
package final class FakeCatalogService: CatalogService {
    private let asked: AsyncStream<String>.Continuation
    /// A line for each thing it was asked, in order.
    package let calls: AsyncStream<String>

    package init() { (calls, asked) = AsyncStream.makeStream() }

    package static let set = CatalogSetReply(
        set: "5ca1ab1e", catalog: "tmdb", collection: "movies", query: "alien", list: nil,
        rows: [
            CatalogRowReply(
                number: 1, key: "348", fields: ["title": "Alien", "year": 1979, "tmdbID": 348], ids: ["tmdb": "348"],
                record: "6F9619FF-8B86-4011-B42D-00C04FC964F1",
                picture: CatalogPictureReply(
                    kind: "poster", url: "https://image.tmdb.org/t/p/original/a.jpg",
                    sizes: ["92": "https://image.tmdb.org/t/p/w92/a.jpg"])),
            CatalogRowReply(
                number: 2, key: "9", fields: ["title": "Alien\u{1B}[2J"], ids: [:], record: nil, picture: nil),
        ], held: 2, total: 660, more: true, duplicatesDropped: 1, skipped: 2,
        attribution: "This product uses the TMDB API but is not endorsed or certified by TMDB.")

    private func note(_ call: String) { asked.yield(call) }

    package func catalogs() -> [CatalogReply] {
        var limited = CatalogReply(
            name: "tmdb", title: "The Movie Database", collection: "movies", lists: ["popular"], searches: true,
            state: .limited)
        limited.until = FakeControlService.moment
        limited.reason = "tmdb asks for fewer requests"
        let free = CatalogReply(
            name: "audiodb", title: "TheAudioDB", collection: "artists", lists: [], searches: true, state: .ok)
        return [limited, free]
    }

    package func search(_ catalog: String, _ order: CatalogSearchOrder, user: UInt32?) throws -> CatalogSetReply {
        note("search \(catalog) \(order.query) \(order.year.map(String.init) ?? "-")")
        guard catalog == "tmdb" else { throw ControlError.unknownCatalog(catalog, among: ["tmdb"]) }
        return FakeCatalogService.set
    }

    package func list(
        _ catalog: String, _ list: String, _ order: CatalogListOrder, user: UInt32?
    ) throws -> CatalogSetReply {
        note("list \(catalog) \(list) \(order.region ?? "-")")
        return FakeCatalogService.set
    }

    package func home(user: UInt32?) -> CatalogHomeReply {
        CatalogHomeReply(sections: [
            .init(catalog: "tmdb", list: "popular", set: FakeCatalogService.set),
            .init(catalog: "tmdb", list: "upcoming", set: nil, reason: "tmdb answered 500"),
        ])
    }

    package func set(_ id: String, _ view: CatalogSetView, user: UInt32?) throws -> CatalogSetReply {
        note("set \(id) \(view.filter ?? "-") \(view.from) \(view.limit)")
        guard ["latest", FakeCatalogService.set.set].contains(id) else { throw ControlError.unknownSet(id) }
        return FakeCatalogService.set
    }

    package func more(of set: String, again: Bool, user: UInt32?) -> CatalogSetReply {
        note("more \(set) \(again)")
        var reply = FakeCatalogService.set
        reply.rows = []
        reply.more = false
        return reply
    }

    package func picks(from set: String, _ order: CatalogPickOrder, user: UInt32?) throws -> CatalogPicksReply {
        note("picks \(set) \(order.pick) \(order.collection ?? "-")")
        return CatalogPicksReply(
            set: FakeCatalogService.set.set, collection: "movies",
            picks: order.pick.map { number in
                .init(
                    number: number, title: "Film \(number)", state: number == 1 ? .already : .new,
                    id: "6F9619FF-8B86-5011-B42D-00C04FC964F\(number)", fields: ["title": .string("Film \(number)")])
            })
    }

    package func drop(set: String, user: UInt32?) { note("drop \(set)") }

    package func item(_ key: String, of catalog: String) throws -> CatalogItemReply {
        note("item \(catalog) \(key)")
        return CatalogItemReply(
            catalog: catalog, collection: "movies", key: key, fields: ["title": "Alien"], ids: ["tmdb": "348"],
            record: nil,
            images: [CatalogPictureReply(kind: "poster", url: "https://image.tmdb.org/t/p/original/a.jpg", sizes: [:])],
            stale: true, attribution: nil)
    }

    package func live(_ catalog: String, user: UInt32?) -> AsyncStream<CatalogLiveReply> {
        AsyncStream { stream in
            stream.yield(CatalogLiveReply(search: "1ive", step: 1, state: .shown, query: "", count: 0))
        }
    }

    package func tell(live id: String, _ order: CatalogLiveOrder) throws {
        note("tell \(id) \(order.query ?? "-") \(order.cancel ?? false)")
    }
}
