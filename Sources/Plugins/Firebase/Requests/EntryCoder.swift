internal import FirebaseWire
internal import JSONText
internal import PluginKit
internal import SyncModel

/// How records and tombstones are spelled in the database (`docs/protocol.md` section 6).
enum EntryCoder {
    private static let serverTime = Array(#""_t":{".sv":"timestamp"}"#.utf8)

    /// Appends the body that `write` makes. A record's canonical text is copied, not read again.
    static func append(_ write: RemoteWrite, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "{"))
        out.append(contentsOf: serverTime)
        out.append(contentsOf: #","_v":""#.utf8)
        out.append(contentsOf: write.stamp.description.utf8)
        out.append(UInt8(ascii: "\""))
        if let replaces = write.replaces { out.append(contentsOf: #","_b":"\#(replaces)""#.utf8) }
        switch write.body {
        case .record(let content, let identifying, let fieldStamps):
            if let fieldStamps {
                out.append(contentsOf: #","_f":"#.utf8)
                FieldStampsCoding.append(fieldStamps, to: &out)
            }
            for (key, value) in identifying {
                out.append(UInt8(ascii: ","))
                JSONWriter.append(key, to: &out)
                out.append(UInt8(ascii: ":"))
                JSONWriter.append(value, to: &out)
            }
            if content.text.count > 2 {
                out.append(UInt8(ascii: ","))
                out.append(contentsOf: content.text[1...])
            } else {
                out.append(UInt8(ascii: "}"))
            }
        case .tombstone(let ended):
            if let ended { out.append(contentsOf: #","_h":"\#(ended)""#.utf8) }
            out.append(UInt8(ascii: "}"))
        }
    }

    /// Reads what stands under a key. What can't be an entry of the keyspace is ``RemoteValue/unreadable(_:)``.
    static func entry(_ key: String, _ excerpt: JSONExcerpt, in keyspace: Keyspace, etag: String? = nil) -> RemoteEntry
    {
        switch excerpt {
        case .tooLong(let bytes):
            return unreadable(key, "the body has \(bytes) bytes: more than 1 MiB can't be a record", etag)
        case .text(let text):
            do throws(JSONSyntaxError) {
                return entry(key, try JSONReader.value(text), in: keyspace, etag: etag)
            } catch {
                return unreadable(key, error.message, etag)
            }
        }
    }

    private static func entry(_ key: String, _ value: JSONValue, in keyspace: Keyspace, etag: String?) -> RemoteEntry {
        if value == .null { return RemoteEntry(key: key, value: .absent, etag: etag) }
        guard case .object(var fields) = value else {
            return unreadable(key, "the body is \(value.kind): a record is an object", etag)
        }
        let time = fields.removeValue(forKey: "_t")?.whole.flatMap { UInt64(exactly: $0) }
        let stamp = fields.removeValue(forKey: "_v")?.text.flatMap { Stamp($0) }
        fields["_b"] = nil
        switch keyspace {
        case .records:
            let fieldStamps = FieldStampsCoding.stamps(fields.removeValue(forKey: "_f"))
            let stamps = stamp.map { RemoteStamps($0, fields: fieldStamps) }
            return RemoteEntry(key: key, value: .record(fields: fields, stamps: stamps), serverTime: time, etag: etag)
        case .tombstones:
            guard let stamp else { return unreadable(key, "the tombstone has no valid _v", etag) }
            let ended = fields["_h"]?.text.flatMap { ContentHash($0) }
            return RemoteEntry(
                key: key, value: .tombstone(stamp: stamp, ended: ended), serverTime: time, etag: etag)
        }
    }

    private static func unreadable(_ key: String, _ message: String, _ etag: String?) -> RemoteEntry {
        RemoteEntry(key: key, value: .unreadable(Defect(.unreadableRecord, message)), etag: etag)
    }
}
