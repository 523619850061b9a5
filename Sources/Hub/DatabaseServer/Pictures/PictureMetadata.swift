internal import SyncModel

/// What is known of a stored picture besides its bytes.
struct PictureMetadata: Hashable, Sendable {
    /// What people may say of a picture, besides what they store with `metadata`.
    private static let sayable = ["cacheControl", "contentDisposition", "contentLanguage"]
    private static let mostSaid = 8 << 10

    let name: String
    /// `image/jpeg` or `image/png`.
    let type: String
    /// In bytes.
    let size: Int
    let md5: String
    /// Whoever knows it may read the picture.
    let token: String
    /// Microseconds since 1970 when these bytes were stored.
    let generation: Int64
    /// How often this was changed, and when last, in milliseconds since 1970.
    var change: Int64 = 1
    var updated: Int64
    /// What people say of it, by its name.
    var said: [String: JSONValue] = [:]

    init(_ name: PictureName, type: String, size: Int, md5: String, token: String, now: Int64) {
        self.name = name.text
        self.type = type
        self.size = size
        self.md5 = md5
        self.token = token
        generation = now * 1000
        updated = now
    }

    /// Takes over what a client says of the picture; null takes back. What is known better is passed over.
    mutating func say(_ members: [String: JSONValue]) throws(ObjectRefusal) {
        for name in PictureMetadata.sayable {
            switch members[name] {
            case nil: continue
            case .null?: said.removeValue(forKey: name)
            case .string(let text)?: said[name] = .string(text)
            default: throw .badMetadata
            }
        }
        switch members["metadata"] {
        case nil: break
        case .null?: said.removeValue(forKey: "metadata")
        case .object(let own)?:
            var all = said["metadata"]?.members ?? [:]
            for (name, value) in own {
                guard value == .null || value.text != nil else { throw .badMetadata }
                if value == .null { all.removeValue(forKey: name) } else { all[name] = value }
            }
            said["metadata"] = .object(all)
        default: throw .badMetadata
        }
        guard said.values.reduce(0, { $0 + PictureMetadata.length($1) }) <= PictureMetadata.mostSaid else {
            throw .badMetadata
        }
    }

    private static func length(_ value: JSONValue) -> Int {
        if let text = value.text { return text.utf8.count }
        return value.members?.reduce(0) { $0 + $1.key.utf8.count + ($1.value.text?.utf8.count ?? 0) } ?? 0
    }

    /// As clients get it: what are numbers elsewhere are texts here.
    func json(in bucket: String) -> JSONValue {
        var members = said
        let fileName = PercentEncoding.encoded(name.dropFirst(PictureRules.folder.count))
        if members["contentDisposition"] == nil {
            members["contentDisposition"] = .string("inline; filename*=utf-8''\(fileName)")
        }
        let others: [String: JSONValue] = [
            "name": .string(name), "bucket": .string(bucket), "generation": .string("\(generation)"),
            "metageneration": .string("\(change)"), "contentType": .string(type), "size": .string("\(size)"),
            "timeCreated": .string(PictureMetadata.time(generation / 1000)),
            "updated": .string(PictureMetadata.time(updated)), "storageClass": "STANDARD",
            "contentEncoding": "identity", "md5Hash": .string(md5), "etag": .string(etag),
            "downloadTokens": .string(token),
        ]
        return .object(members.merging(others) { $1 })
    }

    /// Without the quotation marks that HTTP has around it.
    var etag: String { "\(generation)-\(change)" }

    private static func time(_ milliseconds: Int64) -> String {
        RFC3339.text(UInt64(max(0, milliseconds)))
    }
}

extension PictureMetadata {
    /// All of it, to be read again by ``init(stored:)``.
    var stored: [String: JSONValue] {
        [
            "name": .string(name), "type": .string(type), "size": .integer(Int64(size)), "md5": .string(md5),
            "token": .string(token), "generation": .integer(generation), "change": .integer(change),
            "updated": .integer(updated), "said": .object(said),
        ]
    }

    init?(stored: [String: JSONValue]) {
        guard let name = stored["name"]?.text, let type = stored["type"]?.text, let size = stored["size"]?.whole,
            let md5 = stored["md5"]?.text, let token = stored["token"]?.text,
            let generation = stored["generation"]?.whole
        else { return nil }
        self.name = name
        self.type = type
        self.size = Int(size)
        self.md5 = md5
        self.token = token
        self.generation = generation
        change = stored["change"]?.whole ?? 1
        updated = stored["updated"]?.whole ?? generation / 1000
        said = stored["said"]?.members ?? [:]
    }
}
