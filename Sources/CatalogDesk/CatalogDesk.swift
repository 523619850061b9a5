internal import ControlAPI
internal import Logging
package import PluginKit
internal import ServiceLifecycle
internal import SyncModel
internal import Synchronization

/// Asks catalogs for those who fill a library, and holds what was found.
///
/// Whatever a catalog does, nobody waits for it but those who asked it.
package final class CatalogDesk: Service {
    /// What one request is known by, so that equal ones are sent once.
    struct FlightKey: Hashable, Sendable {
        var catalog: String
        var question: Question
        /// What the catalog is asked with: an answer to another key is of no use.
        var access: Int
    }

    struct State: Sendable {
        var settings: [String: CatalogSettings]
        var lines: [String: CatalogLine] = [:]
        var flights: [FlightKey: Flight] = [:]
        var shelf = SetShelf()
        var live: [String: AsyncStream<LiveSearch.Input>.Continuation] = [:]
        var isOver = false
    }

    typealias Job = @Sendable () async -> Void

    let context: CatalogContext
    let library: Library
    let state: Mutex<State>
    private let http: CatalogHTTP
    private let jobs: AsyncStream<Job>
    private let job: AsyncStream<Job>.Continuation

    package init(_ settings: [CatalogSettings], _ context: CatalogContext) {
        self.context = context
        library = Library(context.library)
        state = Mutex(State(settings: CatalogDesk.named(settings)))
        http = CatalogHTTP(version: context.version)
        (jobs, job) = AsyncStream.makeStream()
    }

    private static func named(_ settings: [CatalogSettings]) -> [String: CatalogSettings] {
        Dictionary(settings.map { ($0.name, $0) }) { _, last in last }
    }

    /// Puts other settings in force.
    package func configure(_ settings: [CatalogSettings]) {
        state.withLock { $0.settings = CatalogDesk.named(settings) }
    }

    /// Carries out what is asked of it until graceful shutdown.
    package func run() async throws {
        await withGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                for await job in jobs { group.addTask { await job() } }
                group.cancelAll()
            }
        } onGracefulShutdown: {
            self.stop()
        }
        stop()
        await http.shutdown()
    }

    private func stop() {
        let left = state.withLock { state in
            state.isOver = true
            for input in state.live.values { input.finish() }
            defer { state.flights = [:] }
            return state.flights.values.map(\.self)
        }
        job.finish()
        for flight in left { flight.land(.failure(CatalogDesk.over)) }
    }

    private static let over = CatalogError(.unavailable, "the daemon is stopping")

    /// Does something beside all else until the desk ends.
    func start(_ job: @escaping Job) { self.job.yield(job) }
}

// The catalogs.
extension CatalogDesk {
    /// All there are, those of this process first.
    var all: [any Catalog] {
        let settings = state.withLock { $0.settings }
        let own = context.webCatalogs.map { web in
            let name = web.description.name
            return WebReader(
                web: web, settings: settings[name] ?? CatalogSettings(name: name), http: http,
                readSecret: context.readSecret)
        }
        let names = Set(own.map(\.description.name))
        return own + context.pluginCatalogs().filter { !names.contains($0.description.name) }
    }

    /// What all catalogs say of themselves, as they are now.
    package var descriptions: [CatalogDescription] { all.map(\.description) }

    func catalog(_ name: String) throws -> any Catalog {
        let all = all
        guard let catalog = all.first(where: { $0.description.name == name }) else {
            throw ControlError.unknownCatalog(name, among: all.map(\.description.name))
        }
        return catalog
    }

    func schema(_ collection: CollectionID) -> CollectionSchema? {
        context.library.schemas().first { $0.name == collection.name }
    }

    /// What is wanted of a catalog in the configured language and country.
    func query(
        _ subject: CatalogQuery.Subject, of description: CatalogDescription, year: Int? = nil, region: String? = nil
    ) -> CatalogQuery {
        let settings = state.withLock { $0.settings[description.name] }
        let language = description.speaksLanguages ? language(of: description) : "en"
        let country = language.split(separator: "-").dropFirst().last { $0.count == 2 }.map { $0.uppercased() }
        return CatalogQuery(
            subject, year: year, language: language,
            region: description.knowsRegions ? region ?? settings?.region ?? country : nil,
            today: String(Moment(milliseconds: context.wall()).description.prefix(10)))
    }

    func language(of description: CatalogDescription) -> String {
        state.withLock { $0.settings[description.name]?.language } ?? context.language
    }
}

// Asking.
extension CatalogDesk {
    private enum Decision {
        case told(Flight.Outcome)
        case wait(Flight)
    }

    /// The answer to a question: from the cache, from a request that is under way, or from the catalog.
    ///
    /// - Parameter anew: whether an answer of before is not good enough, however fresh.
    func ask(
        _ question: Question, of catalog: any Catalog, anew: Bool = false
    ) async throws(CatalogError) -> Answered {
        if let obstacle = catalog.obstacle { throw obstacle }
        let key = FlightKey(catalog: catalog.description.name, question: question, access: catalog.access)
        while true {
            switch decide(key, catalog, anew: anew) {
            case .told(let outcome): return try outcome.get()
            case .wait(let flight):
                let outcome = await flight.outcome()
                // All others had gone away just before.
                if case .failure(let error) = outcome, error.code == .cancelled, !Task.isCancelled {
                    end(flight, key)
                    continue
                }
                return try outcome.get()
            }
        }
    }

    private func decide(_ key: FlightKey, _ catalog: any Catalog, anew: Bool) -> Decision {
        let now = context.monotonic()
        return state.withLock { state in
            if state.isOver { return .told(.failure(CatalogDesk.over)) }
            if let flight = state.flights[key] { return .wait(flight) }
            var line = state.lines[key.catalog] ?? CatalogLine(catalog.description)
            defer { state.lines[key.catalog] = line }
            line.use(key.access)
            switch line.step(for: key.question, anew: anew, at: now) {
            case .answer(let answered): return .told(.success(answered))
            case .refuse(let error): return .told(.failure(error))
            case .ask(let moment, let known):
                let flight = Flight()
                state.flights[key] = flight
                job.yield { await self.fly(flight, key, catalog, at: moment, known: known) }
                return .wait(flight)
            }
        }
    }

    /// Asks for what somebody will want soon, where the catalog has the time and does not mind.
    func readAhead(_ question: Question, of catalog: any Catalog) {
        let now = context.monotonic()
        let name = catalog.description.name
        guard catalog.description.readsAhead, state.withLock({ $0.lines[name]?.isIdle(at: now) == true }) else {
            return
        }
        _ = decide(FlightKey(catalog: name, question: question, access: catalog.access), catalog, anew: false)
    }

    private func end(_ flight: Flight, _ key: FlightKey) {
        state.withLock { if $0.flights[key] === flight { $0.flights[key] = nil } }
    }

    private func fly(
        _ flight: Flight, _ key: FlightKey, _ catalog: any Catalog, at moment: UInt64, known: String?
    ) async {
        await flight.carryOut {
            await self.context.sleep(moment)
            let reading: Result<CatalogReading<Reply>, CatalogError>
            do throws(CatalogError) {
                if Task.isCancelled { throw CatalogError(.cancelled, "nobody waits for it") }
                reading = .success(try await CatalogDesk.reading(key.question, catalog, known))
            } catch {
                reading = .failure(error)
            }
            let outcome = self.settle(reading, key)
            self.end(flight, key)
            return outcome
        }
        end(flight, key)
    }

    private static func reading(
        _ question: Question, _ catalog: any Catalog, _ known: String?
    ) async throws(CatalogError) -> CatalogReading<Reply> {
        switch question {
        case .page(let query):
            let reading = try await catalog.page(query, known: known)
            return CatalogReading(reading.value.map(Reply.page), validator: reading.validator, maxAge: reading.maxAge)
        case .details(let key, let language):
            let reading = try await catalog.details(of: key, language: language, known: known)
            return CatalogReading(
                reading.value.map(Reply.details), validator: reading.validator, maxAge: reading.maxAge)
        }
    }

    private func settle(_ reading: Result<CatalogReading<Reply>, CatalogError>, _ key: FlightKey) -> Flight.Outcome {
        let (now, wall) = (context.monotonic(), context.wall())
        let day: UInt64 = 86_400_000
        if case .failure(let error) = reading, [.limited, .unauthorized, .unavailable].contains(error.code) {
            context.logger.warning(
                "A catalog gave no answer",
                metadata: [
                    "event": "catalog.failed", "catalog": "\(key.catalog)", "code": "\(error.code)",
                    "reason": "\(error.message.oneLine)",
                ])
        }
        return state.withLock { state in
            switch reading {
            case .success(let reading):
                state.lines[key.catalog]?.answered(key.question, reading, at: now)
                    ?? .failure(CatalogError(.unavailable, "\(key.catalog) is gone"))
            // What another key came up against says nothing of this one.
            case .failure(let error) where state.lines[key.catalog]?.access != key.access: .failure(error)
            case .failure(let error):
                state.lines[key.catalog]?.failed(key.question, error, at: now, dayEnds: now + day - wall % day)
                    ?? .failure(error)
            }
        }
    }
}
