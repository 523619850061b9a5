internal import Mustache

/// The templates of all pages, parsed once.
struct Templates: Sendable {
    /// What is rendered; the name of each is that of its file.
    enum Name: String, CaseIterable, Sendable {
        case page, message, line, library, films, adding, film, changing, reviews, reviewing, history, confirm, status
        case attention, search, found, person, favourites, about, heading
    }

    private let library: MustacheLibrary

    /// - Throws: where a template is none, which a test finds.
    init() throws {
        MarkupEscaping.register()
        var library = MustacheLibrary()
        for name in Name.allCases {
            let text = String(decoding: Templates.text(of: name), as: UTF8.self)
            try library.register(MarkupEscaping.pragma + text, named: name.rawValue)
        }
        self.library = library
    }

    func render(_ name: Name, _ model: Model) -> String { library.render(model, withTemplate: name.rawValue) ?? "" }

    private static func text(of name: Name) -> [UInt8] {
        switch name {
        case .page: PackageResources.page_mustache
        case .message: PackageResources.message_mustache
        case .line: PackageResources.line_mustache
        case .library: PackageResources.library_mustache
        case .films: PackageResources.films_mustache
        case .adding: PackageResources.adding_mustache
        case .film: PackageResources.film_mustache
        case .changing: PackageResources.changing_mustache
        case .reviews: PackageResources.reviews_mustache
        case .reviewing: PackageResources.reviewing_mustache
        case .history: PackageResources.history_mustache
        case .confirm: PackageResources.confirm_mustache
        case .status: PackageResources.status_mustache
        case .attention: PackageResources.attention_mustache
        case .search: PackageResources.search_mustache
        case .found: PackageResources.found_mustache
        case .person: PackageResources.person_mustache
        case .favourites: PackageResources.favourites_mustache
        case .about: PackageResources.about_mustache
        case .heading: PackageResources.heading_mustache
        }
    }
}
