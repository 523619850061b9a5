import CatalogDesk
import Catalogs
import ControlAPI
import ControlTestSupport
import Foundation
import Logging
import PluginKit
import SyncModel
import Synchronization
import TestSupport

/// A desk whose catalogs on the web are one scripted server.
struct RunningDesk: Sendable {
    /// What a credential file holds; no word of it may be seen anywhere.
    static let key = "5ec4e7" + String(repeating: "0a", count: 13)

    let desk: CatalogDesk
    let time: DeskTime
    let library: FakeControlService
    let log: LogText

    /// - Parameters:
    ///   - key: what the credential file holds, each time that it is read.
    ///   - others: catalogs of other processes.
    static func run(
        at url: String = "http://127.0.0.1:9", key: @autoclosure @escaping @Sendable () -> String? = key,
        others: [any Catalog] = [], region: String? = nil,
        _ body: @escaping @Sendable (RunningDesk) async throws -> Void
    ) async throws {
        let (time, library, log) = (DeskTime(), FakeControlService(), LogText())
        let settings = BuiltInCatalogs.all.map(\.description).map { catalog in
            CatalogSettings(
                name: catalog.name, credentialFile: catalog.name == "audiodb" ? nil : "key", url: url, language: "en",
                region: region)
        }
        let context = CatalogContext(
            version: "0.3.0", language: "en", webCatalogs: BuiltInCatalogs.all, pluginCatalogs: { others },
            readSecret: { _ in Array((key() ?? "").utf8) }, library: library,
            // 2026-11-22, an hour before midnight in UTC.
            wall: { 1_795_388_400_000 }, monotonic: { time.now }, sleep: { await time.sleep(until: $0) },
            logger: log.logger)
        let running = RunningDesk(desk: CatalogDesk(settings, context), time: time, library: library, log: log)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await running.desk.run() }
            defer { tasks.cancelAll() }
            try await body(running)
        }
    }

    func search(_ text: String, in catalog: String = "tmdb") async throws -> CatalogSetReply {
        try await desk.search(catalog, CatalogSearchOrder(query: text), user: 7)
    }

    /// Why a search is not answered; nil where it is.
    func failure(of text: String, in catalog: String = "tmdb") async -> ControlError? {
        do {
            _ = try await search(text, in: catalog)
            return nil
        } catch {
            return error as? ControlError
        }
    }
}

/// All that is logged, as text.
final class LogText: Sendable {
    private let noted = Mutex("")

    var text: String { noted.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: LogText
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.noted.withLock { $0 += "\(event.message) \(event.metadata ?? [:])\n" }
        }
    }
}

/// Bodies as the sources write them.
enum Body {
    /// A page of The Movie Database.
    static func films(_ numbers: some Sequence<Int>, pages: Int = 1, total: Int? = nil, bad: Int = 0) -> String {
        let rows = numbers.map {
            #"{"id":\#($0),"title":"Film \#($0)","release_date":"1979-05-25","poster_path":null}"#
        }
        let broken = (0..<bad).map { _ in #"{"id":null,"title":""}"# }
        let count = total.map { ",\"total_results\":\($0)" } ?? ""
        return #"{"page":1,"results":[\#((rows + broken).joined(separator: ","))],"total_pages":\#(pages)\#(count)}"#
    }
}
