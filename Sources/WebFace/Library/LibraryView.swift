internal import SyncModel

/// Which films a page of the library shows: what its address says. A pure value.
struct LibraryView: Hashable, Sendable {
    enum Section: String, Hashable, Sendable, CaseIterable { case unwatched, watched }

    /// So many films are on one page.
    static let page = 100

    /// Only films whose titles hold this.
    var filter = ""
    /// Nil for both, each from its beginning.
    var show: Section?
    /// The number of the first film, from 1.
    var from = 1

    init(_ query: Query) {
        filter = query["filter"].map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") } ?? ""
        show = query["show"].flatMap(Section.init)
        from = max(1, query["from"].flatMap { Int($0) } ?? 1)
        if show == nil, from > 1 { show = .unwatched }
    }

    /// The films of one section that are shown.
    struct Slice: Hashable, Sendable {
        var section: Section
        /// All that the filter lets through.
        var count: Int
        /// The number of the first one that is shown, from 1.
        var from: Int
        var films: [RecordID]

        var isWhole: Bool { films.count == count }
        var last: Int { from + films.count - 1 }
    }

    /// Both sections; of one that is not asked for, the count alone.
    func slices(of list: ShelfList) -> [Slice] {
        let wanted = filter.folded
        let found = [list.unwatched, list.watched].map { films in
            wanted.isEmpty ? films : films.filter { $0.title.contains(wanted) }
        }
        return zip(Section.allCases, found).map { section, films in
            let size = size(of: section, among: found.map(\.count))
            let first = show == section ? min(from, max(1, films.count)) : 1
            return Slice(
                section: section, count: films.count, from: first,
                films: films.dropFirst(first - 1).prefix(size).map(\.id))
        }
    }

    /// How many films of a section are shown: a page has room for both, and what the one leaves the other takes.
    private func size(of section: Section, among counts: [Int]) -> Int {
        if let show { return show == section ? LibraryView.page : 0 }
        let half = LibraryView.page / 2
        let other = section == .unwatched ? counts[1] : counts[0]
        return max(half, LibraryView.page - other)
    }

    /// The address of another view with the same filter.
    func address(_ show: Section?, from: Int = 1) -> String {
        let words = [
            filter.isEmpty ? nil : "filter=\(PercentEncoding.encoded(filter))", show.map { "show=\($0.rawValue)" },
            from > 1 ? "from=\(from)" : nil,
        ].compactMap(\.self)
        return words.isEmpty ? "/" : "/?" + words.joined(separator: "&")
    }
}
