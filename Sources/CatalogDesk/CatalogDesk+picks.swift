package import ControlAPI
internal import PluginKit
internal import SyncModel

extension CatalogDesk {
    /// The most rows that can be picked at once.
    private static let mostPicks = 1_000

    package func picks(from id: String, _ order: CatalogPickOrder, user: UInt32?) async throws -> CatalogPicksReply {
        let set = try held(id, user, order.collection)
        guard let schema = schema(set.collection) else { throw ControlError.unknownCollection(set.collection.name) }
        guard !order.pick.isEmpty, order.pick.count <= CatalogDesk.mostPicks else {
            throw ControlError.badRequest("badPick", "give 1 to \(CatalogDesk.mostPicks) numbers of rows")
        }
        var rows: [(number: Int, row: CatalogRow)] = []
        for number in order.pick where !rows.contains(where: { $0.number == number }) {
            guard let row = set.row(number) else {
                throw ControlError.badRequest("badPick", "there is no row \(number): rows are 1 to \(set.rows.count)")
            }
            rows.append((number, row))
        }
        let known = try await library.records(of: rows.map(\.row), from: set.catalog, in: schema)
        let picks = zip(rows, known).map { one, record in
            CatalogPicksReply.Pick(
                number: one.number, title: one.row.fields[schema.titleField]?.text ?? one.row.key,
                state: record == nil ? .new : .already,
                id: (record ?? SourceID.record(set.collection, set.catalog, one.row.key)).description,
                fields: CatalogDesk.saved(one.row))
        }
        return CatalogPicksReply(set: set.id, collection: set.collection.name, picks: picks)
    }

    /// What is written of a row: what is known of it, and what it is called elsewhere, each id once.
    static func saved(_ row: CatalogRow) -> [String: JSONValue] {
        var fields = row.fields
        let ids = row.ids.filter { fields["\($0.key)ID"] == nil }
        if !ids.isEmpty { fields["ids"] = .object(ids.mapValues { .string($0) }) }
        return fields
    }
}
