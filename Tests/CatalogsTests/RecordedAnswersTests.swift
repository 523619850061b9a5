import Catalogs
import Foundation
import PluginKit
import SyncModel
import Testing

/// Bodies that the live service once gave: in the folder that MOVIESYNC_SAMPLES names, or beside the repository.
struct RecordedAnswersTests {
    private static let folder =
        ProcessInfo.processInfo.environment["MOVIESYNC_SAMPLES"]
        ?? URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../shared/samples").path
    private static let isThere = FileManager.default.fileExists(atPath: folder + "/tmdb-jdrouet-movie-details.json")

    private func answer(_ name: String, status: Int = 200) throws -> CatalogAnswer {
        CatalogAnswer(
            status: status, body: Array(try Data(contentsOf: URL(filePath: "\(Self.folder)/tmdb-\(name).json"))))
    }

    private let query = CatalogQuery(.list("popular"), today: "2026-11-22")

    @Test(
        .enabled(if: isThere, "the recorded answers are not here"),
        arguments: [
            ("18months-search-movie", 20), ("18months-discover", 20), ("18months-now-playing", 20),
            ("jdrouet-movie-recommendations", 21), ("jdrouet-movie-similar", 20), ("jdrouet-movie-upcoming", 20),
            ("jdrouet-movie-now-playing", 20), ("jdrouet-search-movie", 1),
        ])
    func `every row of a recorded page is read`(name: String, count: Int) throws {
        let page = try TMDB().page(of: query, in: answer(name))
        #expect(page.rows.count == count && page.skipped == 0)
        for row in page.rows {
            #expect(!row.fields.values.contains(.null) && !row.fields.values.contains(.string("")))
            #expect(row.fields["title"]?.text?.isEmpty == false && row.ids["tmdb"] == row.key)
        }
    }

    @Test(.enabled(if: isThere, "the recorded answers are not here"))
    func `recorded details and a stub are read`() throws {
        let film = try TMDB().details(of: "550", language: "en", in: answer("jdrouet-movie-details"))
        #expect(film.fields["title"] == "Fight Club" && film.fields["year"] == 1999)
        #expect(film.ids["imdb"] == "tt0137523" && film.images.count == 2)
        let stub = try TMDB().details(of: "1", language: "en", in: answer("jdrouet-movie-latest"))
        #expect(stub.fields["year"] == nil && stub.fields["runtime"] == nil && stub.ids["imdb"] == nil)
    }

    @Test(
        .enabled(if: isThere, "the recorded answers are not here"),
        arguments: [
            ("jdrouet-invalid-api-key", 401, CatalogError.Code.unauthorized),
            ("jdrouet-resource-not-found", 404, .notFound), ("jdrouet-validation-error", 422, .refused),
        ])
    func `a recorded failure is told by its code`(name: String, status: Int, code: CatalogError.Code) throws {
        let answer = try answer(name, status: status)
        let error = #expect(throws: CatalogError.self) { try TMDB().page(of: query, in: answer) }
        #expect(error?.code == code)
    }
}
