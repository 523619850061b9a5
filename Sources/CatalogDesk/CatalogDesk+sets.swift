package import ControlAPI
internal import PluginKit
internal import SyncModel
internal import Synchronization

extension CatalogDesk: CatalogService {
    package func catalogs() async -> [CatalogReply] {
        let (now, wall) = (context.monotonic(), context.wall())
        let lines = state.withLock { $0.lines }
        return all.map { catalog in
            let description = catalog.description
            var line = lines[description.name]
            line?.use(catalog.access)
            var reply = CatalogReply(
                name: description.name, title: description.title, collection: description.collection.name,
                lists: description.lists, searches: description.searches, state: .ok)
            reply.attribution = description.attribution.isEmpty ? nil : description.attribution
            reply.keyPage = description.keyPage.isEmpty ? nil : description.keyPage
            if let obstacle = catalog.obstacle {
                reply.state = obstacle.code == .noKey ? .noKey : .down
                reply.reason = obstacle.message.oneLine
            } else if let rest = line?.rest(at: now) {
                reply.state = rest.isLimit ? .limited : .down
                reply.until = Moment(milliseconds: wall + rest.until - now)
                reply.reason = line?.lastError?.message.oneLine
            } else if let error = line?.lastError, error.code == .unauthorized {
                reply.state = .unauthorized
                reply.reason = error.message.oneLine
            }
            reply.requests = line?.requests ?? 0
            reply.failures = line?.failures ?? 0
            reply.cacheHits = line?.cacheHits ?? 0
            return reply
        }
    }

    package func search(
        _ catalog: String, _ order: CatalogSearchOrder, user: UInt32?
    ) async throws -> CatalogSetReply {
        let catalog = try self.catalog(catalog)
        let text = order.query.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !text.isEmpty else { throw ControlError.badRequest("refused", "there is nothing to search for") }
        guard catalog.description.searches else {
            throw ControlError.badRequest("refused", "\(catalog.description.name) can't be searched")
        }
        let query = query(.search(text), of: catalog.description, year: order.year)
        return try await made(query, catalog, user, isLatest: true)
    }

    package func list(
        _ catalog: String, _ list: String, _ order: CatalogListOrder, user: UInt32?
    ) async throws -> CatalogSetReply {
        let catalog = try self.catalog(catalog)
        try CatalogDesk.check(list, catalog.description)
        if let region = order.region, region.count != 2 || !region.allSatisfy({ $0.isASCII && $0.isLetter }) {
            throw ControlError.badRequest("badRegion", "'\(region)' is no country: give two letters, such as DE")
        }
        let query = query(.list(list), of: catalog.description, region: order.region?.uppercased())
        return try await made(query, catalog, user, isLatest: true)
    }

    private static func check(_ list: String, _ description: CatalogDescription) throws {
        guard !description.lists.contains(list) else { return }
        let lists = description.lists.isEmpty ? "it has none" : "there are " + description.lists.joined(separator: ", ")
        throw ControlError(404, "unknownList", "\(description.name) has no list '\(list)': \(lists)")
    }

    package func home(user: UInt32?) async -> CatalogHomeReply {
        let wanted = all.filter { $0.obstacle == nil }.flatMap { catalog in
            catalog.description.lists.map { (catalog: catalog, list: $0) }
        }
        let sections = await withTaskGroup(of: (Int, CatalogHomeReply.Section).self) { group in
            for (number, one) in wanted.enumerated() {
                group.addTask { (number, await self.section(one.list, one.catalog, user)) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        return CatalogHomeReply(sections: sections.sorted { $0.0 < $1.0 }.map(\.1))
    }

    private func section(_ list: String, _ catalog: any Catalog, _ user: UInt32?) async -> CatalogHomeReply.Section {
        let query = query(.list(list), of: catalog.description)
        do {
            let set = try await made(query, catalog, user, isLatest: false)
            return CatalogHomeReply.Section(catalog: catalog.description.name, list: list, set: set)
        } catch {
            let reason = (error as? ControlError)?.message ?? "\(error)".oneLine
            return CatalogHomeReply.Section(catalog: catalog.description.name, list: list, set: nil, reason: reason)
        }
    }

    package func set(_ id: String, _ view: CatalogSetView, user: UInt32?) async throws -> CatalogSetReply {
        let set = try held(id, user, view.collection)
        let numbers = set.numbers(holding: view.filter).filter { $0 >= view.from }.prefix(view.limit)
        return try await reply(set, Array(numbers))
    }

    package func more(of id: String, again: Bool, user: UInt32?) async throws -> CatalogSetReply {
        var set = try held(id, user)
        let catalog = try self.catalog(set.catalog)
        guard let query = set.nextQuery ?? (again && !set.isSecondPass ? set.again() : nil) else {
            return try await reply(set, [])
        }
        let (page, isStale) = try await page(query, of: catalog, anew: set.isSecondPass)
        let now = context.monotonic()
        let (whole, numbers) = state.withLock { state in
            // Somebody else may have added this page meanwhile.
            let held = state.shelf.set(set.id, .init(), at: now)
            if let held, held.nextQuery != set.nextQuery, !(again && !held.isSecondPass) { return (held, 1..<1) }
            let numbers = set.add(page, isStale: isStale)
            state.shelf.put(set, at: now)
            return (set, numbers)
        }
        if let next = whole.nextQuery, !whole.isSecondPass { readAhead(.page(next), of: catalog) }
        return try await reply(whole, Array(numbers))
    }

    package func drop(set id: String, user: UInt32?) async throws {
        let set = try held(id, user)
        state.withLock { $0.shelf.drop(set.id) }
    }

    package func item(_ key: String, of catalog: String) async throws -> CatalogItemReply {
        let catalog = try self.catalog(catalog)
        let description = catalog.description
        guard description.knowsDetails else {
            throw ControlError.badRequest("refused", "\(description.name) tells no details")
        }
        let language = description.speaksLanguages ? language(of: description) : "en"
        do throws(CatalogError) {
            let answered = try await ask(.details(key, language: language), of: catalog)
            guard case .details(let row) = answered.reply else { throw CatalogError(.unavailable, "no details came") }
            let record = await records(of: [row], description).first ?? nil
            return CatalogItemReply(
                catalog: description.name, collection: description.collection.name, key: row.key, fields: row.fields,
                ids: row.ids, record: record, images: row.images.map(CatalogPictureReply.init),
                stale: answered.isStale, attribution: description.attribution.isEmpty ? nil : description.attribution)
        } catch {
            throw CatalogDesk.controlError(error)
        }
    }
}

// Sets.
extension CatalogDesk {
    func held(_ id: String, _ user: UInt32?, _ collection: String? = nil) throws -> ResultSet {
        let now = context.monotonic()
        let owner = SetShelf.Owner(user: user, collection: collection.flatMap { CollectionID($0) })
        guard let set = state.withLock({ $0.shelf.set(id, owner, at: now) }) else { throw ControlError.unknownSet(id) }
        return set
    }

    func page(
        _ query: CatalogQuery, of catalog: any Catalog, anew: Bool = false
    ) async throws -> (page: CatalogPage, isStale: Bool) {
        do throws(CatalogError) {
            let answered = try await ask(.page(query), of: catalog, anew: anew)
            guard case .page(let page) = answered.reply else { throw CatalogError(.unavailable, "no page came") }
            return (page, answered.isStale)
        } catch {
            if error.code == .cancelled { throw CancellationError() }
            throw CatalogDesk.controlError(error)
        }
    }

    /// A new set of a question's first page.
    private func made(
        _ query: CatalogQuery, _ catalog: any Catalog, _ user: UInt32?, isLatest: Bool
    ) async throws -> CatalogSetReply {
        let (page, isStale) = try await page(query, of: catalog)
        let id = String(RecordID.random().description.prefix(8)).lowercased()
        let set = hold(page, isStale, as: id, query, catalog.description, isLatest ? user : nil, isLatest: isLatest)
        if let next = set.nextQuery { readAhead(.page(next), of: catalog) }
        return try await reply(set, Array(1..<set.rows.count + 1))
    }

    /// Holds a page as a set.
    func hold(
        _ page: CatalogPage, _ isStale: Bool, as id: String, _ query: CatalogQuery, _ description: CatalogDescription,
        _ user: UInt32?, isLatest: Bool
    ) -> ResultSet {
        var set = ResultSet(id: id, catalog: description.name, collection: description.collection, query: query)
        set.add(page, isStale: isStale)
        let now = context.monotonic()
        state.withLock { [set] state in
            state.shelf.put(set, at: now)
            if isLatest { state.shelf.made(set, by: user) }
        }
        return set
    }

    func reply(_ set: ResultSet, _ numbers: [Int]) async throws -> CatalogSetReply {
        let description = try catalog(set.catalog).description
        let rows = numbers.compactMap { number in set.row(number).map { (number: number, row: $0) } }
        let records = await records(of: rows.map(\.row), description)
        let replies = zip(rows, records).map { CatalogRowReply($0.number, $0.row, record: $1) }
        var (query, list): (String?, String?)
        switch set.query.subject {
        case .search(let text): query = text
        case .list(let name): list = name
        }
        return CatalogSetReply(
            set: set.id, catalog: set.catalog, collection: set.collection.name, query: query, list: list,
            rows: replies, held: set.rows.count, total: set.total, more: set.nextQuery != nil,
            duplicatesDropped: set.duplicatesDropped, skipped: set.skipped, truncated: set.isTruncated,
            stale: set.isStale, attribution: description.attribution.isEmpty ? nil : description.attribution)
    }

    /// The ids of the records that rows are; nil where a row is not in the library, or there is no telling.
    func records(of rows: [CatalogRow], _ description: CatalogDescription) async -> [String?] {
        guard let schema = schema(description.collection),
            let records = try? await library.records(of: rows, from: description.name, in: schema)
        else { return rows.map { _ in nil } }
        return records.map { $0?.description }
    }

    static func controlError(_ error: CatalogError) -> ControlError {
        let again = error.retryAfter.map { ": again in \(Span(seconds: UInt64(max(0, $0))))" } ?? ""
        let status =
            switch error.code {
            case .noKey, .unauthorized: 409
            case .limited: 429
            case .notFound: 404
            case .refused: 400
            default: 503
            }
        return ControlError(status, error.code.word, error.message + again)
    }
}

extension CatalogRowReply {
    init(_ number: Int, _ row: CatalogRow, record: String?) {
        self.init(
            number: number, key: row.key, fields: row.fields, ids: row.ids, record: record,
            picture: row.images.first.map(CatalogPictureReply.init))
    }
}

extension CatalogPictureReply {
    init(_ image: CatalogImage) {
        self.init(
            kind: image.kind.rawValue, url: image.url,
            sizes: Dictionary(image.sizes.map { (String($0.key), $0.value) }) { first, _ in first })
    }
}
