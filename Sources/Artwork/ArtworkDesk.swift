package import ControlAPI
internal import Logging
internal import OperatingSystem
internal import ServiceLifecycle
internal import Synchronization

/// Gives out pictures: from the cache, or from the source in the source's own size where it has one, else scaled by a
/// process of its own.
///
/// Pictures go through files, never through this process's memory as a whole; equal requests share one way to the source.
package final class ArtworkDesk: ArtworkService, Service {
    private struct State {
        var flights: [String: Task<Void, any Error>] = [:]
        /// Where pictures are fetched from instead, by catalog, as the operator wants it.
        var places: [String: String]
        var isOver = false
    }

    let context: ArtworkContext
    let cache: PictureCache
    let program: PictureProgram
    private let downloads = Turnstile(4)
    private let state: Mutex<State>

    /// - Parameter places: where pictures are fetched from instead, by catalog, as the operator wants it.
    package init(_ context: ArtworkContext, places: [String: String] = [:]) {
        state = Mutex(State(places: places))
        self.context = context
        cache = PictureCache(folder: context.folder, capacity: context.capacity)
        program = PictureProgram(path: context.program, patience: context.patience)
    }

    /// Puts other places in force, and another limit of the cache, in bytes.
    package func configure(places: [String: String], capacity: Int) {
        state.withLock { $0.places = places }
        cache.setCapacity(capacity)
    }

    /// Ends what is under way at graceful shutdown.
    package func run() async throws {
        try await gracefulShutdown()
        let left = state.withLock { state in
            state.isOver = true
            return state.flights.values.map(\.self)
        }
        for flight in left { flight.cancel() }
        for flight in left { _ = await flight.result }
    }

    /// A picture that is there already, or is made now. Throws ``ControlError``: `badRequest` (400), `hostNotAllowed`
    /// (403), `noPicture` (404), or `unavailable` (502) where the source may have it another time.
    package func picture(_ key: String, width: Int) async throws -> ArtworkReply {
        let sources = ArtworkSources(context.catalogs(), places: state.withLock { $0.places })
        return try await picture(try sources.plan(for: key, width: width))
    }

    /// The same for what is planned already.
    func picture(_ plan: ArtworkPlan) async throws -> ArtworkReply {
        let name = PictureCache.name(of: plan)
        for attempt in 0..<2 {
            switch cache.find(name, at: context.wall()) {
            case .missing: throw ControlError(404, "noPicture", "\(plan.host) has no picture there")
            case .picture:
                if let reply = try? reply(name) { return reply }
                cache.forget(name)
            case .unknown: break
            }
            if attempt == 0 { try await make(plan, name) }
        }
        throw ControlError(502, "unavailable", "the picture can't be kept: see the daemon's log")
    }

    private func reply(_ name: String) throws -> ArtworkReply {
        let file = try ReadableFile(path: cache.path(of: name))
        guard let type = PictureType(try file.read(at: 0, count: 8)) else {
            throw PictureError("the file in the cache is damaged")
        }
        return ArtworkReply(type: type.rawValue, tag: "\"\(name)\"", size: Int(try file.identity().size)) {
            try file.read(at: $0, count: $1)
        }
    }

    /// Waits for the one who makes it.
    private func make(_ plan: ArtworkPlan, _ name: String) async throws {
        let flight = state.withLock { state -> Task<Void, any Error>? in
            if state.isOver { return nil }
            if let flight = state.flights[name] { return flight }
            let flight = Task {
                defer { landed(name) }
                try await downloads.pass { try await self.fetch(plan, name) }
            }
            state.flights[name] = flight
            return flight
        }
        guard let flight else { throw ArtworkDesk.stopping }
        do {
            try await flight.value
        } catch let error as PictureError where error.isMissing {
            throw ControlError(404, "noPicture", error.words)
        } catch let error as PictureError {
            throw ControlError(502, "unavailable", error.words)
        } catch is CancellationError {
            throw ArtworkDesk.stopping
        } catch let error as SystemError {
            throw ControlError(502, "unavailable", "the picture can't be kept: \(error)")
        } catch {
            context.logger.info(
                "A picture can't be fetched",
                metadata: ["event": "artwork.failed", "host": "\(plan.host)", "reason": "\(error)"])
            throw ControlError(502, "unavailable", "the picture can't be fetched: the daemon's log says why")
        }
    }

    private static let stopping = ControlError(503, "unavailable", "the daemon is stopping")

    private func landed(_ name: String) { state.withLock { $0.flights[name] = nil } }

    private func fetch(_ plan: ArtworkPlan, _ name: String) async throws {
        do {
            try await storeMakingRoom(plan, name)
        } catch let error as SystemError {
            context.logger.warning(
                "A picture can't be kept",
                metadata: ["event": "artwork.failed", "host": "\(plan.host)", "reason": "\(error)"])
            throw error
        } catch let error as PictureError {
            context.logger.info(
                "There is no picture",
                metadata: ["event": "artwork.failed", "host": "\(plan.host)", "reason": "\(error.words)"])
            if error.isMissing, let file = try? cache.begin(name) {
                // Remembered for a day, so that nobody asks again and again; that it is not is no loss.
                try? cache.finish(file, name, at: context.wall())
            }
            throw error
        }
    }

    /// Where the disk is full, others give way, and it is tried once more.
    private func storeMakingRoom(_ plan: ArtworkPlan, _ name: String) async throws {
        do {
            return try await store(plan, name)
        } catch let error as SystemError where error.isDiskFull && cache.makeRoom(at: context.wall()) {}
        do {
            try await store(plan, name)
        } catch let error as SystemError where error.isDiskFull {
            cache.noteNoUse(at: context.wall())
            throw error
        }
    }

    private func store(_ plan: ArtworkPlan, _ name: String) async throws {
        let source = try cache.begin(plan.width == nil ? name : name + ".source")
        if plan.isPortrait {
            try await fetchPortrait(plan, into: source)
        } else {
            try await PictureDownload(version: context.version, resolve: context.resolve).fetch(plan, into: source)
        }
        guard let width = plan.width else { return try cache.finish(source, name, at: context.wall()) }
        let jpeg = try await program.jpeg(of: source.unfinishedPath, width: width)
        let file = try cache.begin(name)
        try file.write(jpeg)
        try cache.finish(file, name, at: context.wall())
    }
}
