internal import ControlAPI
internal import SyncModel

/// The library: both sections, or one of them.
struct LibraryPage: Sendable {
    let reader: Reader
    let view: LibraryView
    let slices: [LibraryView.Slice]
    /// The films of the slices, as they are now, by id.
    let films: [RecordID: RecordReply]
    /// How they are reviewed; nil where no reviews are kept.
    let reviews: ReviewTally?
    /// What stands for the films that the reader likes best.
    let favourites: Set<String>
    let titleField: String

    var page: WebPage {
        let films = reader.model.with(["sections": .list(shown.map(section))])
        let parts: [WebPage.Part] = [
            .init(id: "filtering", template: .library, model: filtering),
            .init(id: "films", listens: [.library, .status, .people], template: .films, model: films),
        ]
        let adding = WebPage.Part(id: "adding", template: .adding, model: reader.model)
        return WebPage("Library", place: "/", parts + (reader.mayChange ? [adding] : []))
    }

    private var filtering: Model {
        [
            "filter": .text(view.filter), "show": .maybe(view.show?.rawValue),
            "isFiltered": .flag(!view.filter.isEmpty),
        ]
    }

    /// The section that is asked for comes first.
    private var shown: [LibraryView.Slice] {
        view.show == .watched ? slices.reversed() : slices
    }

    private func section(_ slice: LibraryView.Slice) -> Model {
        let section = slice.section
        let name = section == .unwatched ? "Unwatched" : "Watched"
        let previous = view.show == section && slice.from > 1
        let isPart = slice.films.isEmpty && slice.count > 0
        let next = !slice.films.isEmpty && slice.last < slice.count
        let rows = slice.films.compactMap { id in films[id].map { row($0, section) } }
        return [
            "id": .text(section.rawValue), "name": .text(name), "count": .text(slice.count.grouped),
            "hasRows": .flag(!rows.isEmpty), "rows": .list(rows), "isEmpty": .flag(slice.count == 0),
            "emptyWords": .text(view.filter.isEmpty ? "No films here yet." : "No film here has that in its title."),
            "range": .maybe(
                slice.isWhole || slice.films.isEmpty
                    ? nil : "\(slice.from.grouped) to \(slice.last.grouped) of \(slice.count.grouped)"),
            "first": .maybe(isPart ? view.address(section) : nil),
            "firstName": .text("Show \(name.lowercased()) films"),
            "previous": .maybe(
                previous ? view.address(section, from: max(1, slice.from - LibraryView.page)) : nil),
            "next": .maybe(next ? view.address(section, from: view.show == section ? slice.last + 1 : 1) : nil),
            "nextName": .text(view.show == section ? "Next page" : "All \(name.lowercased()) films"),
        ]
    }

    private func row(_ film: RecordReply, _ section: LibraryView.Section) -> Model {
        [
            "verb": .text(section == .unwatched ? "Mark watched" : "Mark unwatched"),
            "opposite": .text(section == .unwatched ? "true" : ""),
            "id": .text(film.id), "title": .text(film.fields[titleField]?.text ?? film.id),
            "year": .text(film.fields["year"]?.whole.map(String.init) ?? ""), "pending": .flag(film.pending),
            "reason": .text(film.reason ?? ""),
            "reviews": .maybe(reviews?.said(of: PersonFields.films(film))?.words),
            "isFavourite": .flag(film.isAmong(favourites)),
        ]
    }
}
