internal import ControlAPI
internal import SyncModel

extension Responder {
    /// The collection that the library is.
    static let movies = "movies"

    /// The schema of a collection; nil where it is not enabled.
    func schema(_ collection: String) -> CollectionSchema? {
        daemon.service.schemas().first { $0.name == collection }
    }

    func library(_ view: LibraryView) async throws -> Page {
        guard let schema = schema(Responder.movies) else {
            return .message("Library", "The collection movies is not enabled on this node.")
        }
        let slices = view.slices(of: try await shelf.films())
        return LibraryPage(
            view: view, slices: slices, films: try await films(slices.flatMap(\.films)), titleField: schema.titleField
        ).page
    }

    /// Films as they are now, but those that are gone meanwhile.
    private func films(_ ids: [RecordID]) async throws -> [RecordID: RecordReply] {
        var films: [RecordID: RecordReply] = [:]
        for id in ids {
            guard let film = try? await daemon.service.record(id.description, in: Responder.movies), !film.deleted
            else { continue }
            films[id] = film
        }
        return films
    }
}
