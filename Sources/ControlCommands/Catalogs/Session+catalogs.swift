internal import ControlAPI

extension Session {
    /// How long a catalog may take beyond what any answer may.
    static let catalogPatience = Duration.seconds(30)

    /// The catalog to ask: the chosen one, else the first one of the collection that can be asked.
    ///
    /// - Parameter suits: what it has to be able to do.
    /// - Throws: why there is none, with what to do.
    func catalog(
        _ chosen: String?, for collection: String, suits: (CatalogReply) -> Bool
    ) async throws -> String {
        if let chosen { return chosen.pathPart }
        let page: Page<CatalogReply> = try await client.get(ControlRoute.catalogs)
        let fitting = page.items.filter { $0.collection == collection && suits($0) }
        let usable = fitting.first { $0.state != .noKey && $0.state != .unauthorized } ?? fitting.first
        guard let usable else {
            throw CommandFailure(.usage, "no catalog of \(collection) can do that; 'moviesync catalog' shows them all")
        }
        if usable.state == .noKey, let reason = usable.reason { throw CommandFailure(.notAllowed, reason) }
        return usable.name
    }

    /// Shows what a set holds, in the form of its collection.
    ///
    /// - Parameter isFiltered: whether only some of its rows were wanted.
    func show(_ set: CatalogSetReply, isFiltered: Bool = false) async throws {
        let schema = try await shownSchema(of: CatalogItemAnswer.collection(named: set.collection))
        try output.show(CatalogSetAnswer(reply: set, schema: schema, isFiltered: isFiltered))
    }

    /// The path of the set that was made last.
    static let latestSet = ControlRoute.catalogs + "/sets/latest"
}
