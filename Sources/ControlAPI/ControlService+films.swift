internal import SyncModel

extension ControlService {
    /// What stands in keys for a movie of the library; for a deleted one also what stood for it before, as far as
    /// that is kept.
    package func films(_ movie: RecordReply) async throws -> [String] {
        guard movie.deleted else { return PersonFields.films(movie) }
        do {
            let history = try await history(
                of: movie.id, in: movie.collection, after: nil, limit: ControlRoute.defaultLimit)
            return PersonFields.films(history.fieldsBeforeDelete, of: movie.id)
        } catch let error as ControlError where error.code == "unknownRecord" {
            return PersonFields.films(movie)
        }
    }

    /// The first live record that is there under one of these keys, which are made of fields; nil where there is none.
    package func record(withFirstOf keys: [String], in collection: String) async throws -> RecordReply? {
        for key in keys {
            do {
                let record = try await record(withKey: key, in: collection)
                if !record.deleted { return record }
            } catch let error as ControlError where error.code == "unknownRecord" {
                continue
            }
        }
        return nil
    }

    /// What stands in keys for a row of a set, and for the movie of the library that it is.
    func films(_ row: CatalogRowReply, of set: CatalogSetReply) async throws -> [String] {
        let films = PersonFields.films(row.ids, key: row.key, of: set.catalog, record: row.record)
        guard set.collection == "movies", let id = row.record,
            let movie = try? await record(id, in: set.collection)
        else { return films }
        return films + PersonFields.films(movie).filter { !films.contains($0) }
    }
}
