import Catalogs
import JSONText
import PluginKit
import PluginWire
import SyncModel
import Testing

@testable import PluginExam
@testable import PluginLink

/// The catalogs that are compiled in keep the promises that are asked of anybody's plugin.
@Suite(.timeLimit(.minutes(2))) struct BuiltInCatalogTests {
    @Test(arguments: [ScriptedCatalog.tmdb, .omdb, .audiodb])
    func `a catalog of this process passes as a plugin would`(catalog: ScriptedCatalog) async {
        let greeting = PluginGreeting(version: "1", name: "built-in")
        let candidate = ExamCandidate(isProgram: false, greeting: greeting, query: "alien") { CatalogLink(catalog) }
        var results: [ExamResult] = []
        await PluginExam(candidate).run { results.append($0) }
        let kept = results.compactMap { if case .passed = $0.verdict { $0.name } else { nil } }
        for result in results {
            if case .failed(let reason) = result.verdict { Issue.record("\(result.name): \(reason)") }
        }
        #expect(kept.contains("catalog.search") && kept.contains("catalog.pages") && kept.contains("catalog.details"))
        #expect(kept.contains("catalog.lists") == !catalog.web.description.lists.isEmpty)
    }
}

/// A catalog, and a source that answers what the real one would.
struct ScriptedCatalog: Sendable, CustomTestStringConvertible {
    let web: any WebCatalog
    let answer: @Sendable (CatalogRequest) -> CatalogAnswer

    var testDescription: String { web.description.name }

    private static func json(_ value: JSONValue, status: Int = 200) -> CatalogAnswer {
        CatalogAnswer(status: status, body: JSONWriter.text(value))
    }

    private static func argument(_ name: String, _ request: CatalogRequest) -> String? {
        request.query.first { $0.name == name }?.value
    }

    static let tmdb = ScriptedCatalog(web: TMDB()) { request in
        func film(_ number: Int) -> JSONValue {
            [
                "id": .integer(Int64(number)), "title": .string("Film \(number)"), "release_date": "1979-05-25",
                "poster_path": "/a.jpg",
            ]
        }
        if request.path.dropFirst(1).first == "movie", let number = request.path.last.flatMap({ Int($0) }) {
            return json(film(number))
        }
        let page = argument("page", request).flatMap { Int($0) } ?? 1
        return json([
            "page": .integer(Int64(page)), "total_pages": 3, "total_results": 6,
            "results": [film(2 * page), film(2 * page + 1)],
        ])
    }

    static let omdb = ScriptedCatalog(web: OMDb()) { request in
        func film(_ id: String) -> JSONValue {
            [
                "imdbID": .string(id), "Title": .string("Film \(id)"), "Year": "1979", "Poster": "N/A",
                "Response": "True",
            ]
        }
        if let id = argument("i", request) { return json(film(id)) }
        let page = argument("page", request).flatMap { Int($0) } ?? 1
        let films = (0..<(page == 1 ? 10 : 2)).map { film("tt00000\(page)\($0)") }
        return json(["Search": .array(films), "totalResults": "12", "Response": "True"])
    }

    static let audiodb = ScriptedCatalog(web: AudioDB()) { request in
        let artist: JSONValue = ["idArtist": "111239", "strArtist": "Alien Ant Farm", "intFormedYear": "0"]
        return json(["artists": argument("i", request).map { $0 == "111239" } == false ? .null : [artist]])
    }
}

/// A catalog as a plugin: it speaks the protocol in this process.
private struct CatalogLink: PluginLink {
    private let catalog: ScriptedCatalog

    init(_ catalog: ScriptedCatalog) { self.catalog = catalog }

    func run(_ input: PluginInput, _ handlers: PluginHandlers) async -> PluginEnding {
        handlers.opened(nil)
        await input.forEach { bytes in
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                for answer in answers(to: line) {
                    handlers.output((JSONWriter.text(answer) + [UInt8(ascii: "\n")])[...])
                }
            }
            return true
        }
        handlers.outputEnded()
        return .exited(0)
    }

    private func answers(to line: ArraySlice<UInt8>) -> [JSONValue] {
        guard let members = try? JSONReader.members(line), let call = members["call"]?.text, let id = members["id"]
        else {
            return []
        }
        do throws(CatalogError) {
            return try answers(to: call, members["with"]?.members ?? [:]).map { answer in
                .object(answer.merging(["id": id]) { one, _ in one })
            }
        } catch {
            let words: JSONValue = ["code": .string(error.code.word), "message": .string(error.message)]
            return [["id": id, "error": words]]
        }
    }

    private func answers(
        to call: String, _ given: [String: JSONValue]
    ) throws(CatalogError) -> [[String: JSONValue]] {
        let web = catalog.web
        switch call {
        case "hello" where given["protocols"] != [1]:
            return [["error": ["code": "protocol", "message": "only version 1"]]]
        case "hello":
            let about = web.description
            let provided: JSONValue = [
                "collection": .string(about.collection.name), "search": .bool(about.searches),
                "details": .bool(about.knowsDetails), "lists": .array(about.lists.map { .string($0) }),
            ]
            return [
                ["ok": ["protocol": 1, "name": .string(about.name), "version": "1", "provides": ["catalog": provided]]]
            ]
        case "catalog.search": return try page(.search(given["query"]?.text ?? ""), given["page"]?.text)
        case "catalog.list": return try page(.list(given["list"]?.text ?? ""), given["page"]?.text)
        case "catalog.details":
            let key = given["key"]?.text ?? ""
            let request = try web.request(forDetails: key, language: "en", key: "00000000")
            return [["ok": item(try web.details(of: key, language: "en", in: catalog.answer(request)))]]
        default: return [["error": ["code": "unknownCall", "message": .string(call)]]]
        }
    }

    private func page(
        _ subject: CatalogQuery.Subject, _ page: String?
    ) throws(CatalogError) -> [[String: JSONValue]] {
        let query = CatalogQuery(subject, page: page, today: "2026-11-22")
        let request = try catalog.web.request(for: query, key: "00000000")
        let found = try catalog.web.page(of: query, in: catalog.answer(request))
        return found.rows.map { ["item": item($0)] } + [["ok": ["next": found.next.map { .string($0) } ?? .null]]]
    }

    private func item(_ row: CatalogRow) -> JSONValue {
        let title = row.fields["title"] ?? row.fields["name"] ?? .null
        return [
            "key": .string(row.key), "title": title, "year": row.fields["year"] ?? .null,
            "images": .array(row.images.map { .string($0.url) }),
        ]
    }
}
