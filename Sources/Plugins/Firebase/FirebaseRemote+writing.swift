internal import FirebaseWire
internal import JSONText
internal import NIOCore
internal import NIOHTTP1
internal import PluginKit
package import SyncModel

extension FirebaseRemote {
    package func write(
        _ write: RemoteWrite, in keyspace: Keyspace, if condition: WriteCondition
    ) async throws -> WriteOutcome {
        var request = DatabaseRequest(method: .PUT, path: try client.location.path(of: write.key, in: keyspace))
        switch condition {
        case .absent: request.headers.add(name: "if-match", value: Self.nothing)
        case .matches(let etag): request.headers.add(name: "if-match", value: etag)
        }
        request.headers.add(name: "X-Firebase-ETag", value: "true")
        var body: [UInt8] = []
        let place = EntrySpelling.append(write, to: &body)
        sent.note([BatchElement(keyspace: keyspace, key: write.key, write: write)], body, [place])
        request.body = ByteBuffer(bytes: body)
        let answer = try await answer(to: request)
        if answer.status == 412 { return .conflict(try await current(write.key, in: keyspace, answer)) }
        let stamp = write.stamp.description
        try await confirm(answer) { $0.members?[EntrySpelling.version]?.text == stamp }
        return .written(etag: answer.etag)
    }

    package func remove(_ key: String, in keyspace: Keyspace, ifMatches etag: String) async throws -> WriteOutcome {
        var request = DatabaseRequest(method: .DELETE, path: try client.location.path(of: key, in: keyspace))
        request.headers.add(name: "if-match", value: etag)
        let answer = try await answer(to: request)
        if answer.status == 412 { return .conflict(try await current(key, in: keyspace, answer)) }
        try await confirm(answer) { $0 == .null }
        return .written(etag: Self.nothing)
    }

    package func writeBatch(_ elements: [BatchElement]) async throws {
        guard !elements.isEmpty else { return }
        let patch = try EntryCoder.patch(elements, in: client.location)
        sent.note(elements, patch.body, patch.places)
        var request = DatabaseRequest(method: .PATCH, path: patch.path)
        request.query = [.init("print", "silent")]
        request.body = ByteBuffer(bytes: patch.body)
        try await finish(request, patch.body)
    }

    /// Sends an object whose answer says nothing but that it was carried out; who does not know `print` says it again.
    func finish(_ request: DatabaseRequest, _ body: [UInt8]) async throws {
        let answer = try await answer(to: request)
        guard answer.status != 204 else {
            _ = try await client.body(of: answer)
            return
        }
        let names = Set(try JSONReader.members(body).keys)
        try await confirm(answer) { $0.members.map { names.isSubset(of: $0.keys) } ?? false }
    }

    /// A database answers a write with what was written.
    ///
    /// - Throws: ``RemoteError/Code/outcomeUnknown`` for anything else, also for an object: whoever answers so has written
    ///   nothing, as far as anybody knows.
    func confirm(_ answer: DatabaseAnswer, _ isWritten: (JSONValue) -> Bool) async throws {
        let text = try await json(of: answer)
        guard try !isWritten(JSONReader.value(text)) else { return }
        let said = RemoteError.oneLine(client.beginning(of: text, answer))
        throw RemoteError(
            .outcomeUnknown,
            "\(client.location.origin) answered a write with \"\(said)\", not with what was written")
    }

    /// What stands at `key` now: the body of a 412, or another read where that body says something else.
    private func current(_ key: String, in keyspace: Keyspace, _ answer: DatabaseAnswer) async throws -> RemoteEntry {
        let text = try await client.body(of: answer)
        guard let etag = answer.etag, let value = try? JSONReader.value(text), !isError(value) else {
            return try await read(key, in: keyspace)
        }
        return EntryCoder.entry(key, excerpt(text), in: keyspace, etag: etag)
    }

    /// Whether this is the form of the server's errors; a record with just this field is read once more.
    private func isError(_ value: JSONValue) -> Bool {
        guard let members = value.members, members.count == 1 else { return false }
        return members["error"]?.text != nil
    }
}
