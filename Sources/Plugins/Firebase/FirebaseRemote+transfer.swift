internal import AsyncHTTPClient
internal import FirebaseWire
internal import NIOCore
internal import NIOHTTP1
internal import PluginKit
internal import SyncModel

/// Whole trees, as export and import move them.
extension FirebaseRemote {
    /// Whether `text` may be a key of a database.
    package static func isKey(_ text: String) -> Bool { WireKey.isLegal(text) }

    /// Whether `text` may be a path: keys between slashes.
    package static func isPath(_ text: String) -> Bool { (try? WirePath(parsing: text)) != nil }

    /// Hands over all that stands at `path`, piece by piece.
    ///
    /// - Parameter withPriorities: whether the priorities are part of it; arrays are objects then.
    /// - Throws: ``RemoteError``, or what `body` throws. After a throw the pieces are not the whole.
    package func export(
        _ path: String, withPriorities: Bool, _ body: ([UInt8]) throws -> Void
    ) async throws {
        let query = withPriorities ? [DatabaseLocation.QueryItem("format", "export")] : []
        let answer = try await success(DatabaseRequest(path: path, query: query))
        var pieces = answer.response.body.makeAsyncIterator()
        while true {
            let piece: ByteBuffer?
            do {
                piece = try await pieces.next()
            } catch {
                throw RemoteError.transport(error, at: address)
            }
            guard let piece else { return }
            client.meter.received(bytes: piece.readableBytes)
            try body(Array(piece.readableBytesView))
        }
    }

    /// Whether anything at `path` or below it may have a priority. Reads all of it.
    package func mayHavePriorities(_ path: String) async throws -> Bool {
        let wanted = Array(#"".priority""#.utf8)
        var found = false
        var end: [UInt8] = []
        try await export(path, withPriorities: true) { piece in
            guard !found else { return }
            end += piece
            found = end.indices.contains { end[$0] == wanted[0] && end[$0...].starts(with: wanted) }
            end = Array(end.suffix(wanted.count - 1))
        }
        return found
    }

    /// Whether nothing stands at `path`.
    package func isEmpty(_ path: String) async throws -> Bool {
        let answer = try await success(DatabaseRequest(path: path, query: [.init("shallow", "true")]))
        do {
            for try await piece in answer.response.body where piece.readableBytes > 0 {
                return piece.readableBytesView.elementsEqual("null".utf8)
            }
        } catch {
            throw RemoteError.transport(error, at: address)
        }
        return true
    }

    /// Puts `text` at `path`, where nothing stands.
    ///
    /// - Returns: false where something stands there; nothing has changed then.
    package func create(_ text: [UInt8], at path: String) async throws -> Bool {
        var request = DatabaseRequest(method: .PUT, path: path, query: [Self.unlimited])
        request.headers = ["if-match": Self.nothing]
        request.body = ByteBuffer(bytes: text)
        let answer = try await answer(to: request)
        guard answer.status == 412 || answer.status == 200 else { throw try await client.failure(of: answer) }
        do {
            for try await _ in answer.response.body {}
        } catch {
            throw RemoteError.transport(error, at: address)
        }
        return answer.status == 200
    }

    /// Puts `text` at `path` instead of what stands there.
    package func replace(_ path: String, with text: [UInt8]) async throws {
        try await write(.PUT, path, text)
    }

    /// Puts several values below `path` at once, all or none; `text` is an object whose keys are relative paths.
    package func update(_ path: String, with text: [UInt8]) async throws {
        try await write(.PATCH, path, text)
    }

    private static let unlimited = DatabaseLocation.QueryItem("writeSizeLimit", "unlimited")

    private func write(_ method: HTTPMethod, _ path: String, _ text: [UInt8]) async throws {
        let query = [DatabaseLocation.QueryItem("print", "silent"), Self.unlimited]
        var request = DatabaseRequest(method: method, path: path, query: query)
        request.body = ByteBuffer(bytes: text)
        let answer = try await success(request)
        _ = try await client.body(of: answer)
    }

    private func success(_ request: DatabaseRequest) async throws -> DatabaseAnswer {
        let answer = try await answer(to: request)
        guard (200...299).contains(answer.status) else { throw try await client.failure(of: answer) }
        return answer
    }
}
