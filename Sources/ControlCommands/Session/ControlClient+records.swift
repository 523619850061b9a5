internal import ControlAPI
internal import SyncModel

extension ControlClient {
    /// The state of the daemon.
    func status(patience: Duration = patience) async throws -> StatusSnapshot {
        try await get(ControlRoute.status, patience: patience)
    }

    /// What the plugins of the enabled collections say about their fields.
    func schemas(patience: Duration = patience) async throws -> [CollectionSchema] {
        let page: Page<CollectionSchema> = try await get(ControlRoute.collections, patience: patience)
        return page.items
    }

    /// The record that `prefix` stands for; with `wait`, as soon as the remote has its newest version.
    func record(
        _ prefix: RecordPrefix, in collection: CollectionName, wait: Duration? = nil
    ) async throws -> RecordReply {
        let path = "\(ControlRoute.records)/\(collection)/\(prefix.text)"
        guard let wait else { return try await get(path) }
        return try await get(path, ["wait": wait.secondsText], wait: wait)
    }

    /// Hands over the pages of a list of records, until `body` wants no more; while it has one, the next is on its way.
    func recordPages(
        of collection: CollectionName, where filter: RecordFilter, _ body: (RecordPageText) throws -> Bool
    ) async throws {
        let path = "\(ControlRoute.records)/\(collection)"
        var query = ["limit": String(ControlRoute.maxLimit)]
        if filter != .all { query["where"] = filter.description }
        var page = try await recordPage(path, query)
        while let next = page.next {
            async let following = recordPage(path, query.merging(["after": next]) { $1 })
            guard try body(page) else { return }
            page = try await following
        }
        _ = try body(page)
    }

    /// All items of a list, page by page, at most `limit` of them.
    ///
    /// - Parameter wait: how long the daemon itself may have to wait, as for the remote.
    func all<Item>(
        _ path: String, _ query: [String: String] = [:], limit: Int = .max, wait: Duration = .zero
    ) async throws -> [Item] where Item: Codable & Hashable & Sendable {
        var items: [Item] = []
        try await pages(path, query, limit: limit, wait: wait) { items += $0 }
        return Array(items.prefix(limit))
    }

    /// The nodes that share the remote, which the daemon asks for them.
    func nodes() async throws -> [NodeReply] { try await all(ControlRoute.nodes, wait: .seconds(60)) }

    /// Hands over the pages of a list, as many as it takes to have `limit` items.
    func pages<Item>(
        _ path: String, _ query: [String: String] = [:], limit: Int = .max, wait: Duration = .zero,
        _ body: ([Item]) throws -> Void
    ) async throws where Item: Codable & Hashable & Sendable {
        var count = 0
        var query = query
        query["limit"] = String(min(limit, ControlRoute.maxLimit))
        repeat {
            let page: Page<Item> = try await get(path, query, wait: wait)
            try body(page.items)
            count += page.items.count
            query["after"] = page.next
            if page.next == nil { break }
        } while count < limit
    }
}

extension Duration {
    /// The seconds as digits, with a fraction only where there is one.
    var secondsText: String {
        let seconds = Double(components.seconds) + Double(components.attoseconds) / 1e18
        return Duration.digits(seconds)
    }

    /// The seconds for people: whole ones, or tenths; below one second thousandths.
    var roundedText: String {
        let seconds = self / .seconds(1)
        let parts = seconds < 1 ? 1_000.0 : 10
        return Duration.digits((seconds * parts).rounded() / parts)
    }

    private static func digits(_ seconds: Double) -> String {
        Int64(exactly: seconds).map(String.init) ?? String(seconds)
    }
}
