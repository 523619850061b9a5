/// What to search a catalog for.
package struct CatalogSearchOrder: Codable, Hashable, Sendable {
    package var query: String
    /// The year of the items; null for any.
    @Nullable package var year: Int?

    package init(query: String, year: Int? = nil) {
        self.query = query
        self.year = year
    }
}

/// How a list is wanted.
package struct CatalogListOrder: Codable, Hashable, Sendable {
    /// The country whose dates count, as ISO 3166-1 has it; null for the configured one.
    @Nullable package var region: String?

    package init(region: String? = nil) { self.region = region }
}

/// Which rows of a set are wanted.
package struct CatalogSetView: Hashable, Sendable {
    /// Only rows that hold this text.
    package var filter: String?
    /// The number of the first one.
    package var from = 1
    package var limit = ControlRoute.maxLimit
    /// For the set `latest`: the one of this collection.
    package var collection: String?

    package init(filter: String? = nil, from: Int = 1, limit: Int = ControlRoute.maxLimit, collection: String? = nil) {
        self.filter = filter
        self.from = from
        self.limit = limit
        self.collection = collection
    }
}

/// Which rows somebody wants to save.
package struct CatalogPickOrder: ControlOrder, Codable, Hashable, Sendable {
    /// Their numbers.
    package var pick: [Int]
    /// For the set `latest`: the one of this collection; null for any.
    @Nullable package var collection: String?

    private enum CodingKeys: String, CodingKey, CaseIterable { case pick, collection }

    package static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }

    package init(pick: [Int], collection: String? = nil) {
        self.pick = pick
        self.collection = collection
    }
}

/// What somebody has typed into a live search.
package struct CatalogLiveOrder: ControlOrder, Codable, Hashable, Sendable {
    /// The whole text.
    @Nullable package var query: String?
    /// Back to the list that is shown where nothing is typed, read anew.
    @Nullable package var cancel: Bool?

    private enum CodingKeys: String, CodingKey, CaseIterable { case query, cancel }

    package static var keys: [String] { CodingKeys.allCases.map(\.rawValue) }

    package init(query: String? = nil, cancel: Bool? = nil) {
        self.query = query
        self.cancel = cancel
    }
}
