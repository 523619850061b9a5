internal import Crypto
internal import FoundationEssentials
internal import SyncModel
internal import Synchronization

/// Does what calls to the storage of pictures ask for, once it is known that they may.
///
/// What was answered is on the disk.
final class PictureDesk: Sendable {
    private let file: AccountFile
    private let time: WallTime
    private let uploads = Mutex(UploadBook())

    init(_ file: AccountFile, time: WallTime) {
        self.file = file
        self.time = time
    }

    /// Throws an ``ObjectRefusal`` where there is none.
    func metadata(of name: PictureName) async throws -> PictureMetadata {
        guard let found = try await rows({ try $0.metadata(of: name) }) else { throw ObjectRefusal.notFound }
        return found
    }

    /// A picture with its bytes. Throws as ``metadata(of:)``.
    func picture(_ name: PictureName) async throws -> (PictureMetadata, [UInt8]) {
        let found = try await rows { rows in
            try rows.metadata(of: name).flatMap { metadata in try rows.bytes(of: name).map { (metadata, $0) } }
        }
        guard let found else { throw ObjectRefusal.notFound }
        return found
    }

    /// Stores a picture in place of the one of its name, whose download token ends.
    ///
    /// - Parameter said: what the client says of it.
    func store(_ name: PictureName, _ bytes: [UInt8], said: [String: JSONValue]) async throws -> PictureMetadata {
        guard bytes.count <= PictureRules.largest else { throw ObjectRefusal.tooLarge }
        guard let type = PictureRules.type(of: bytes) else { throw ObjectRefusal.noPicture }
        var metadata = PictureMetadata(
            name, type: type, size: bytes.count, md5: Data(Insecure.MD5.hash(data: bytes)).base64EncodedString(),
            token: UUID().uuidString.lowercased(), now: time.now())
        try metadata.say(said)
        return try await rows { [metadata] rows in
            let others = try rows.size() - Int64(rows.metadata(of: name)?.size ?? 0)
            guard others + Int64(metadata.size) <= PictureRules.capacity else { throw ObjectRefusal.full }
            try rows.put(metadata, bytes, of: name)
            return metadata
        }
    }

    /// Changes what is said of a picture. Throws as ``metadata(of:)``.
    func change(_ name: PictureName, said: [String: JSONValue]) async throws -> PictureMetadata {
        let now = time.now()
        return try await rows { rows in
            guard var metadata = try rows.metadata(of: name) else { throw ObjectRefusal.notFound }
            try metadata.say(said)
            metadata.change += 1
            metadata.updated = now
            try rows.put(metadata, of: name)
            return metadata
        }
    }

    /// Throws as ``metadata(of:)``.
    func remove(_ name: PictureName) async throws {
        guard try await rows({ try $0.remove(name) }) else { throw ObjectRefusal.notFound }
    }

    /// A page of the names there are: they all stand in one folder.
    func list(_ listing: ObjectListing, in bucket: String) async throws -> JSONValue {
        var answer: [String: JSONValue] = ["prefixes": [], "items": []]
        guard listing.prefix.isEmpty || listing.prefix == PictureRules.folder else { return .object(answer) }
        let isFolded = listing.isShallow && listing.prefix.isEmpty
        let limit = isFolded ? 1 : listing.limit
        let names = try await rows { try $0.names(after: listing.after ?? "", limit: limit + 1) }
        if isFolded {
            if !names.isEmpty { answer["prefixes"] = [.string(PictureRules.folder)] }
            return .object(answer)
        }
        answer["items"] = .array(names.prefix(limit).map { ["name": .string($0), "bucket": .string(bucket)] })
        if names.count > limit { answer["nextPageToken"] = .string(names[limit - 1]) }
        return .object(answer)
    }

    // MARK: Uploads in several requests

    /// Begins an upload; its id. Nothing is stored before ``finish(_:)``, and nothing of it outlasts the process.
    func begin(_ name: PictureName, by visitor: PictureVisitor, said: [String: JSONValue]) throws -> String {
        // What can't be stored is refused now.
        var trial = PictureMetadata(name, type: "", size: 0, md5: "", token: "", now: 0)
        try trial.say(said)
        let id = UUID().uuidString.lowercased()
        try uploads.withLock { try $0.begin(id, name, by: visitor, said: trial.said, now: time.now()) }
        return id
    }

    func append(_ bytes: [UInt8], at offset: Int?, to id: String) throws {
        try uploads.withLock { try $0.append(bytes, at: offset, to: id, now: time.now()) }
    }

    /// How many bytes are here.
    func received(_ id: String) throws -> Int { try uploads.withLock { try $0.received(id, now: time.now()) } }

    func cancel(_ id: String) throws { _ = try uploads.withLock { try $0.end(id, now: time.now()) } }

    /// Stores what has come, as ``store(_:_:said:)`` does; the upload is over then, whatever comes of it.
    func finish(_ id: String) async throws -> PictureMetadata {
        let upload = try uploads.withLock { try $0.end(id, now: time.now()) }
        return try await store(upload.name, upload.bytes, said: upload.said)
    }

    private func rows<Result: Sendable>(
        _ body: @escaping @Sendable (PictureRows) throws -> Result
    ) async throws -> Result {
        try await WorkerPool.run { [file] in try file.pictures(body) }
    }
}
