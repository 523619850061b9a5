/// A page: its name, and the parts that it is made of.
struct WebPage: Sendable {
    struct Part: Sendable {
        /// Names the part in the page, and in requests for it alone.
        var id: String
        /// What it shows; a change there has the part fetched again.
        var listens: [LiveRoom.Section] = []
        var template: Templates.Name
        var model: Model
    }

    var title: String
    /// The path of the page in the navigation that this one belongs to.
    var place: String
    var parts: [Part]
    /// What the title shows.
    var listens: [LiveRoom.Section]

    init(_ title: String, place: String = "", listens: [LiveRoom.Section] = [], _ parts: [Part]) {
        self.title = title
        self.listens = listens
        self.place = place
        self.parts = parts
    }

    /// A page that only says something.
    static func message(_ title: String, _ text: String, way: (path: String, name: String)? = nil) -> WebPage {
        WebPage(
            title,
            [
                Part(
                    id: "message", template: .message,
                    model: ["text": .text(text), "way": .maybe(way?.path), "wayName": .maybe(way?.name)])
            ])
    }

    /// The pages that every page leads to.
    static let navigation: [(path: String, name: String)] = [
        ("/", "Library"), ("/search", "Search"), ("/favourites", "Favourites"), ("/attention", "Attention"),
        ("/status", "Status"), ("/about", "About"),
    ]
}
