internal import ControlAPI
internal import SyncModel

/// What people say about films, as if it were in the films' records: `reviews`, how many there are, and `rating`, their
/// mean. Where a record has a field of that name, that counts.
struct ReviewColumns: Sendable {
    static let names: Set = ["reviews", "rating"]

    private let films: [String: FilmReviewsReply]

    init(_ films: [FilmReviewsReply]) {
        self.films = Dictionary(films.map { ($0.film, $0) }) { first, _ in first }
    }

    func put(on records: [RecordReply]) -> [RecordReply] {
        records.map { record in
            let said = FilmReviewsReply.together(PersonFields.films(record).compactMap { films[$0] })
            var fields: [String: JSONValue] = ["reviews": .integer(Int64(said?.reviews ?? 0))]
            fields["rating"] = said?.rating.map { JSONValue.number($0) }
            var record = record
            record.fields.merge(fields) { own, _ in own }
            return record
        }
    }
}

extension Session {
    /// Nil where none of `fields` is of reviews.
    func reviewColumns(for fields: [String], in collection: CollectionName) async throws -> ReviewColumns? {
        guard collection == .default, !ReviewColumns.names.isDisjoint(with: fields) else { return nil }
        let page: Page<FilmReviewsReply> = try await client.get(ControlRoute.reviews)
        return ReviewColumns(page.items)
    }
}
