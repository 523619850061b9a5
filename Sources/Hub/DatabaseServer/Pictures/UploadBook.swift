internal import SyncModel

/// The uploads that have begun and not ended: each is known by an id that nobody can guess.
///
/// Times are milliseconds since 1970.
struct UploadBook {
    /// So long is a next request waited for.
    static let patience: Int64 = 600_000
    /// The most uploads, and those of one visitor; the oldest of these makes room.
    static let (most, mostOfOne) = (256, 8)
    /// The most bytes that wait for their end.
    static let capacity = 64 << 20

    struct Upload: Hashable, Sendable {
        let name: PictureName
        let visitor: PictureVisitor
        /// What the client says of the picture.
        let said: [String: JSONValue]
        fileprivate(set) var bytes: [UInt8] = []
        fileprivate var lapses: Int64
        fileprivate let number: Int
    }

    private var uploads: [String: Upload] = [:]
    private var number = 0
    private var size = 0

    /// Begins an upload under `id`.
    mutating func begin(
        _ id: String, _ name: PictureName, by visitor: PictureVisitor, said: [String: JSONValue], now: Int64
    ) throws(ObjectRefusal) {
        for (id, upload) in uploads where upload.lapses <= now { remove(id) }
        let own = uploads.filter { $0.value.visitor == visitor }
        if own.count >= UploadBook.mostOfOne, let oldest = own.min(by: { $0.value.number < $1.value.number }) {
            remove(oldest.key)
        }
        guard uploads.count < UploadBook.most else { throw .busy }
        number += 1
        uploads[id] = Upload(
            name: name, visitor: visitor, said: said, lapses: now + UploadBook.patience, number: number)
    }

    /// How many bytes of an upload are here.
    func received(_ id: String, now: Int64) throws(ObjectRefusal) -> Int { try upload(id, now).bytes.count }

    /// Takes more of a picture, which begins where the rest has ended.
    mutating func append(_ bytes: [UInt8], at offset: Int?, to id: String, now: Int64) throws(ObjectRefusal) {
        var upload = try upload(id, now)
        guard offset == nil || offset == upload.bytes.count else { throw .wrongOffset }
        guard upload.bytes.count + bytes.count <= PictureRules.largest else { throw .tooLarge }
        guard size + bytes.count <= UploadBook.capacity else { throw .busy }
        size += bytes.count
        upload.bytes += bytes
        upload.lapses = now + UploadBook.patience
        uploads[id] = upload
    }

    /// Takes an upload out, as it is.
    mutating func end(_ id: String, now: Int64) throws(ObjectRefusal) -> Upload {
        let upload = try upload(id, now)
        remove(id)
        return upload
    }

    private func upload(_ id: String, _ now: Int64) throws(ObjectRefusal) -> Upload {
        guard let upload = uploads[id], now < upload.lapses else { throw .unknownUpload }
        return upload
    }

    private mutating func remove(_ id: String) {
        guard let upload = uploads.removeValue(forKey: id) else { return }
        size -= upload.bytes.count
    }
}
