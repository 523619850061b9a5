internal import ControlAPI
internal import SyncModel

/// The films that a person likes best, and who that person is.
struct FavouritesPage: Sendable {
    let reader: Reader
    /// What the person tells; nil where that is nothing.
    let profile: RecordReply?
    /// Nil where favourites are not kept here.
    let favourites: [FavouriteReply]?
    /// The films of the library that they are, by what stands for them.
    let films: [String: String]

    var page: WebPage {
        WebPage(
            "Favourites", place: "/favourites",
            [
                .init(id: "person", template: .person, model: person),
                .init(id: "favourites", listens: [.people, .library], template: .favourites, model: model),
            ])
    }

    private var person: Model {
        reader.model.with([
            "portrait": .text(Shown.portrait(of: reader.person, profile)),
            "name": .text(profile?.fields["name"]?.text ?? reader.person), "bio": .maybe(profile?.fields["bio"]?.text),
        ])
    }

    private var model: Model {
        guard let favourites else { return ["isOff": true, "list": .list([])] }
        let rows: [Model] = favourites.map { favourite in
            [
                "film": .text(favourite.film), "title": .text(favourite.title), "at": Shown.moment(favourite.at),
                "path": .maybe(films[favourite.film].map { "/film/\($0)" }), "pending": .flag(favourite.pending),
            ]
        }
        return reader.model.with([
            "isOff": false, "isEmpty": .flag(favourites.isEmpty), "hasRows": .flag(!favourites.isEmpty),
            "list": .list(rows),
        ])
    }
}

/// What this program is, and whose data it shows.
struct AboutPage: Sendable {
    let reader: Reader
    let version: String
    let catalogs: [CatalogReply]

    var page: WebPage {
        let attributions = Set(catalogs.compactMap(\.attribution)).sorted()
        return WebPage(
            "About", place: "/about",
            [
                .init(
                    id: "about", template: .about,
                    model: reader.model.with([
                        "version": .text(version), "attributions": .list(attributions.map { ["text": .text($0)] }),
                        "hasAttributions": .flag(!attributions.isEmpty),
                    ]))
            ])
    }
}
