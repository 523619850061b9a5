package import ControlAPI
internal import PluginKit
internal import SyncModel
internal import Synchronization

extension CatalogDesk {
    package func live(_ catalog: String, user: UInt32?) async throws -> AsyncStream<CatalogLiveReply> {
        let catalog = try self.catalog(catalog)
        if let obstacle = catalog.obstacle { throw CatalogDesk.controlError(obstacle) }
        let description = catalog.description
        let home = description.lists.contains("now-playing") ? "now-playing" : description.lists.first
        let search = LiveSearch(id: String(RecordID.random().description.prefix(8)).lowercased(), home: home)
        let (inputs, input) = AsyncStream<LiveSearch.Input>.makeStream()
        let (replies, reply) = AsyncStream<CatalogLiveReply>.makeStream()
        reply.onTermination = { _ in input.finish() }
        state.withLock { $0.live[search.id] = input }
        input.yield(.begun)
        start {
            await self.run(search, catalog, user, inputs, input, reply)
            self.state.withLock { $0.live[search.id] = nil }
            reply.finish()
        }
        return replies
    }

    package func tell(live id: String, _ order: CatalogLiveOrder) async throws {
        guard let input = state.withLock({ $0.live[id] }) else { throw ControlError.unknownSearch(id) }
        switch (order.query, order.cancel) {
        case (let text?, nil), (let text?, false?): input.yield(.typed(text))
        case (nil, true?): input.yield(.cancelled)
        default: throw ControlError.badRequest("badOrder", "give either query or cancel")
        }
    }

    /// Performs what a live search decides, until nobody gives input any more.
    private func run(
        _ search: LiveSearch, _ catalog: any Catalog, _ user: UInt32?, _ inputs: AsyncStream<LiveSearch.Input>,
        _ input: AsyncStream<LiveSearch.Input>.Continuation, _ reply: AsyncStream<CatalogLiveReply>.Continuation
    ) async {
        await withDiscardingTaskGroup { group in
            var search = search
            var abandon: AsyncStream<Void>.Continuation?
            for await given in inputs {
                for effect in search.take(given) {
                    switch effect {
                    case .show(let shown): reply.yield(shown)
                    case .abandon: abandon?.finish()
                    case .pause(let turn):
                        let until = context.monotonic() + context.typingPause
                        group.addTask {
                            await self.context.sleep(until)
                            input.yield(.due(turn: turn))
                        }
                    case .ask(let turn, let subject, let anew):
                        let (abandoned, end) = AsyncStream<Void>.makeStream()
                        abandon = end
                        let id = search.id
                        group.addTask {
                            let answer = await self.rows(subject, catalog, user, as: id, anew: anew, until: abandoned)
                            if let answer { input.yield(.answered(turn: turn, answer)) }
                        }
                    }
                }
            }
            group.cancelAll()
        }
    }

    /// The first page of an answer, which is held as a set; nil where it was abandoned.
    private func rows(
        _ subject: CatalogQuery.Subject, _ catalog: any Catalog, _ user: UInt32?, as id: String, anew: Bool,
        until abandoned: AsyncStream<Void>
    ) async -> Result<[CatalogRowReply], ControlError>? {
        await withTaskGroup(of: Result<[CatalogRowReply], ControlError>?.self) { group in
            group.addTask {
                let query = self.query(subject, of: catalog.description)
                do {
                    let (page, isStale) = try await self.page(query, of: catalog, anew: anew)
                    let set = self.hold(page, isStale, as: id, query, catalog.description, user, isLatest: true)
                    return .success(try await self.reply(set, Array(1..<set.rows.count + 1)).rows)
                } catch let error as ControlError {
                    return .failure(error)
                } catch {
                    return nil
                }
            }
            group.addTask {
                for await _ in abandoned {}
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}
