package import SyncModel

/// What a search or a list has found so far: numbered rows that are held for a while.
package struct CatalogSetReply: Codable, Hashable, Sendable {
    /// Names the set in later requests.
    package var set: String
    package var catalog: String
    package var collection: String
    /// What was searched for; null for a list.
    @Nullable package var query: String?
    /// Which list it is; null for a search.
    @Nullable package var list: String?
    /// The rows that were asked for.
    package var rows: [CatalogRowReply]
    /// How many rows the set holds.
    package var held: Int
    /// How many there are in all, where the source says.
    @Nullable package var total: Int?
    /// Whether there is another page.
    package var more: Bool
    /// Rows that came more than once, and were shown once.
    package var duplicatesDropped: Int
    /// Rows of the source that could not be read.
    package var skipped: Int
    /// The source has more than it gives out.
    package var truncated: Bool
    /// The source could not be asked, and this is what it said before.
    package var stale: Bool
    @Nullable package var attribution: String?

    package init(
        set: String, catalog: String, collection: String, query: String?, list: String?, rows: [CatalogRowReply],
        held: Int, total: Int?, more: Bool, duplicatesDropped: Int = 0, skipped: Int = 0, truncated: Bool = false,
        stale: Bool = false, attribution: String? = nil
    ) {
        self.set = set
        self.catalog = catalog
        self.collection = collection
        self.query = query
        self.list = list
        self.rows = rows
        self.held = held
        self.total = total
        self.more = more
        self.duplicatesDropped = duplicatesDropped
        self.skipped = skipped
        self.truncated = truncated
        self.stale = stale
        self.attribution = attribution
    }
}

extension CatalogSetReply {
    /// The set with what people say about its films: on each row whether it is a favourite, and how it is reviewed.
    ///
    /// - Parameter favourites: what stands for the favourites in keys; nil where that is not known.
    package func marked(by favourites: Set<String>?, _ service: any ControlService) async throws -> CatalogSetReply {
        var films: [[String]] = []
        for row in rows { films.append(try await service.films(row, of: self)) }
        let tally = collection == "movies" ? try await service.reviewTally(of: films.flatMap(\.self)) : nil
        var marked = self
        for (index, film) in films.enumerated() {
            marked.rows[index].favourite = favourites.map { !$0.isDisjoint(with: film) }
            marked.rows[index].reviews = tally?.said(of: film)
        }
        return marked
    }
}

/// Several lists in one answer.
package struct CatalogHomeReply: Codable, Hashable, Sendable {
    package struct Section: Codable, Hashable, Sendable {
        package var catalog: String
        package var list: String
        /// Its first page; null where it can't be had.
        @Nullable package var set: CatalogSetReply?
        /// Why there is no page; null where there is one.
        @Nullable package var reason: String?

        package init(catalog: String, list: String, set: CatalogSetReply?, reason: String? = nil) {
            self.catalog = catalog
            self.list = list
            self.set = set
            self.reason = reason
        }
    }

    package var sections: [Section]

    package init(sections: [Section]) { self.sections = sections }
}

/// What becomes of rows that somebody wants to save.
package struct CatalogPicksReply: Codable, Hashable, Sendable {
    package struct Pick: Codable, Hashable, Sendable {
        package enum State: String, Codable, Sendable {
            /// To be written.
            case new
            /// In the library: not to be written.
            case already
        }

        package var number: Int
        package var title: String
        package var state: State
        /// The record: the one to make, or the one that is there.
        package var id: String
        /// What to write; what the collection adds by itself is not there.
        package var fields: [String: JSONValue]

        package init(number: Int, title: String, state: State, id: String, fields: [String: JSONValue]) {
            self.number = number
            self.title = title
            self.state = state
            self.id = id
            self.fields = fields
        }
    }

    package var set: String
    package var collection: String
    package var picks: [Pick]

    package init(set: String, collection: String, picks: [Pick]) {
        self.set = set
        self.collection = collection
        self.picks = picks
    }
}

/// One step of a live search: differences to what was shown before, to be applied in their order.
package struct CatalogLiveReply: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable {
        /// What is shown now is the answer to `query`.
        case shown
        /// `query` was overtaken by what was typed after it.
        case superseded
        /// `query` could not be answered: what was shown stays.
        case failed
    }

    package struct Change: Codable, Hashable, Sendable {
        /// The place from 0.
        package var at: Int
        /// The row that comes in there; null where the row that is there goes away.
        @Nullable package var insert: CatalogRowReply?

        package init(at: Int, insert: CatalogRowReply?) {
            self.at = at
            self.insert = insert
        }
    }

    /// Names the search, for what is typed.
    package var search: String
    /// Rises by 1 from step to step.
    package var step: Int
    package var state: State
    /// What was typed; empty where nothing is, and a list is shown instead.
    package var query: String
    package var changes: [Change]
    /// How many rows are shown now.
    package var count: Int
    @Nullable package var reason: String?

    package init(
        search: String, step: Int, state: State, query: String, changes: [Change] = [], count: Int,
        reason: String? = nil
    ) {
        self.search = search
        self.step = step
        self.state = state
        self.query = query
        self.changes = changes
        self.count = count
        self.reason = reason
    }
}
