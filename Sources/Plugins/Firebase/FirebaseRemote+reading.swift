internal import FirebaseWire
internal import JSONText
internal import NIOHTTP1
internal import PluginKit
package import SyncModel

extension FirebaseRemote {
    package func read(_ key: String, in keyspace: Keyspace) async throws -> RemoteEntry {
        var request = DatabaseRequest(path: try client.location.path(of: key, in: keyspace))
        request.headers.add(name: "X-Firebase-ETag", value: "true")
        let answer = try await answer(to: request)
        return EntryCoder.entry(key, excerpt(try await json(of: answer)), in: keyspace, etag: answer.etag)
    }

    package func readRange(
        from first: String?, through last: String?, limit: Int, in keyspace: Keyspace
    ) async throws -> RemotePage {
        let limit = max(1, limit)
        var request = DatabaseRequest(path: try client.location.path(of: keyspace))
        // One more than is asked for: it is where the next page starts.
        request.query = [.init("orderBy", #""$key""#), .init("limitToFirst", String(limit + 1))]
        if let first { request.query.append(.init("startAt", Self.head(of: first))) }
        if let last { request.query.append(.init("endAt", Self.head(of: last))) }
        let answer = try await answer(to: request)
        let text = try await body(of: answer)
        var entries: [RemoteEntry] = []
        let levels = client.location.depth(of: keyspace) - 1
        try walk(text, limit: levels > 0 ? NestedEntries.limit : JSONExcerpt.limit) { key, excerpt in
            for (key, excerpt) in NestedEntries.all(below: key, excerpt, levels: levels) {
                // A query knows only the first key of a path.
                let isBefore = levels > 0 && first.map { WirePath.precedes(key, $0) } ?? false
                let isBehind = levels > 0 && last.map { WirePath.precedes($0, key) } ?? false
                if !isBefore, !isBehind { entries.append(EntryCoder.entry(key, excerpt, in: keyspace)) }
            }
        }
        entries.sort { WirePath.precedes($0.key, $1.key) }
        let next = entries.count > limit ? entries[limit].key : nil
        return RemotePage(entries: Array(entries.prefix(limit)), next: next)
    }

    package func keys(in keyspace: Keyspace) async throws -> [String] {
        guard client.location.depth(of: keyspace) == 1 else { return try await keysByPages(in: keyspace) }
        var request = DatabaseRequest(path: try client.location.path(of: keyspace))
        request.query = [.init("shallow", "true")]
        let answer = try await answer(to: request)
        switch try parsed(try await body(of: answer)) {
        case .object(let members): return members.keys.sorted(by: WirePath.precedes)
        case .array(let elements): return elements.indices.filter { elements[$0] != .null }.map(String.init)
        default: return []
        }
    }

    private func keysByPages(in keyspace: Keyspace) async throws -> [String] {
        var keys: [String] = []
        var next: String?
        repeat {
            let page = try await readRange(from: next, through: nil, limit: 1000, in: keyspace)
            keys += page.entries.map(\.key)
            next = page.next
        } while next != nil
        return keys
    }

    /// The first key of a path, as a query spells it.
    private static func head(of path: String) -> String {
        JSONWriter.string(.string(path.pieces(between: "/").first.map { String($0) } ?? path))
    }

    /// The body of a successful answer.
    func body(of answer: DatabaseAnswer) async throws -> [UInt8] {
        guard answer.status == 200 else { throw try await client.failure(of: answer) }
        return try await client.body(of: answer)
    }

    /// The body of a successful answer, which is JSON.
    func json(of answer: DatabaseAnswer) async throws -> [UInt8] {
        let text = try await body(of: answer)
        try walk(text) { _, _ in }
        return text
    }

    /// A body as the text of one entry.
    func excerpt(_ text: [UInt8]) -> JSONExcerpt {
        text.count > JSONExcerpt.limit ? .tooLong(bytes: text.count) : .text(text)
    }

    /// Hands out the children in a body one by one, so that one that can't be read costs no other.
    ///
    /// - Throws: ``RemoteError/Code/outcomeUnknown`` where a body is not JSON: whoever sent it is not the database.
    private func walk(
        _ text: [UInt8], limit: Int = JSONExcerpt.limit, _ take: (String, JSONExcerpt) -> Void
    ) throws(RemoteError) {
        do {
            try PutSplitter.parts(of: text, limit: limit) { part in
                switch part {
                case .child(let key, let excerpt): take(key, excerpt)
                case .value(_, .text(let scalar)): _ = try JSONReader.value(scalar)
                case .value, .opened, .closed: break
                }
            }
        } catch {
            throw notJSON("\(error)")
        }
    }

    func parsed(_ text: [UInt8]) throws(RemoteError) -> JSONValue {
        do throws(JSONSyntaxError) { return try JSONReader.value(text) } catch { throw notJSON(error.message) }
    }

    private func notJSON(_ reason: String) -> RemoteError {
        RemoteError(.outcomeUnknown, "\(address) answered with something that is not JSON: \(reason)")
    }
}
