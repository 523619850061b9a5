internal import JSONText
package import SyncModel

/// How records and tombstones are spelled in the database (`docs/protocol.md` section 6), for both ends of the wire.
package enum EntrySpelling {
    /// The server's time of the write.
    static let serverTime = "_t"
    /// The version's stamp.
    package static let version = "_v"
    /// The stamps of the fields, where they differ.
    static let fields = "_f"
    /// The stamp of the version that a write replaces.
    static let replaces = "_b"
    /// Of a tombstone: the hash of the content it ended.
    static let ended = "_h"

    private static let timestamp = Array(#"{".sv":"timestamp"}"#.utf8)

    /// Appends the body that `write` makes: its members in the order in which a database shows them, so that what it shows
    /// of this write is these bytes again, but for the time. A record's canonical text is copied, not read again.
    ///
    /// - Parameter element: which one of a request it is.
    @discardableResult
    package static func append(_ write: RemoteWrite, element: Int = 0, to out: inout [UInt8]) -> SentPlace {
        let start = out.count
        out.append(UInt8(ascii: "{"))
        let time: Range<Int>
        switch write.body {
        case .record(let content, let identifying, let stamps):
            var members = CanonicalMembers(content.text)
            let identifying = identifying.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            let before = identifying.prefix { $0.key.utf8.lexicographicallyPrecedes(replaces.utf8) }
            append(before, among: &members, to: &out)
            members.append(before: replaces, to: &out)
            time = append(write, stamps: stamps, to: &out)
            append(identifying[before.endIndex...], among: &members, to: &out)
            members.appendRest(to: &out)
        case .tombstone(let hash): time = append(write, ended: hash, to: &out)
        }
        // Each member has a comma after it.
        out[out.count - 1] = UInt8(ascii: "}")
        return SentPlace(element: element, text: start..<out.count, time: time)
    }

    private static func append(
        _ identifying: ArraySlice<(key: String, value: JSONValue)>, among members: inout CanonicalMembers,
        to out: inout [UInt8]
    ) {
        for (key, value) in identifying {
            members.append(before: key, to: &out)
            append(key, to: &out) { JSONWriter.append(value, to: &$0) }
        }
    }

    /// Appends what only the database has; returns where its time goes.
    private static func append(
        _ write: RemoteWrite, stamps: FieldStamps? = nil, ended: ContentHash? = nil, to out: inout [UInt8]
    ) -> Range<Int> {
        if let stamp = write.replaces { append(replaces, to: &out) { append(stamp, to: &$0) } }
        if let stamps { append(fields, to: &out) { JSONWriter.append(FieldStampSpelling.value(of: stamps), to: &$0) } }
        if let ended { append(self.ended, to: &out) { $0.append(contentsOf: "\"\(ended)\"".utf8) } }
        append(serverTime, to: &out) { $0.append(contentsOf: timestamp) }
        let end = out.count - 1
        append(version, to: &out) { append(write.stamp, to: &$0) }
        return end - timestamp.count..<end
    }

    /// Appends a member, and a comma.
    private static func append(_ key: String, to out: inout [UInt8], _ value: (inout [UInt8]) -> Void) {
        JSONWriter.append(key, to: &out)
        out.append(UInt8(ascii: ":"))
        value(&out)
        out.append(UInt8(ascii: ","))
    }

    private static func append(_ stamp: Stamp, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        stamp.append(to: &out)
        out.append(UInt8(ascii: "\""))
    }

    /// Reads what stands under a key. What can't be an entry of the keyspace is ``RemoteValue/unreadable(_:)``.
    package static func entry(
        _ key: String, _ value: JSONValue, in keyspace: Keyspace, etag: String? = nil
    ) -> RemoteEntry {
        guard case .object(let named) = value else { return entry(key, leaf: value, in: keyspace, etag) }
        var members = EntryMembers(count: named.count)
        for (name, value) in named { members.take(name, value) }
        return entry(key, members, in: keyspace, etag)
    }

    /// The same, from the text of the value.
    package static func entry(
        _ key: String, text: [UInt8], in keyspace: Keyspace, etag: String? = nil
    ) -> RemoteEntry {
        do throws(JSONSyntaxError) {
            return try JSONReader.read(text[...]) { tokens in
                switch tokens.next() {
                case .object(let count):
                    var members = EntryMembers(count: count)
                    for _ in 0..<count {
                        let name = tokens.key()
                        members.take(name, tokens.value())
                    }
                    if let name = members.ambiguousName ?? tokens.ambiguousName {
                        return unreadable(key, "it has \(FieldRules.words(ofAmbiguous: name))", etag)
                    }
                    return entry(key, members, in: keyspace, etag)
                case .array: return entry(key, leaf: .array([]), in: keyspace, etag)
                case .scalar(let value): return entry(key, leaf: value, in: keyspace, etag)
                }
            }
        } catch {
            return unreadable(key, error.message, etag)
        }
    }

    private static func entry(
        _ key: String, _ members: EntryMembers, in keyspace: Keyspace, _ etag: String?
    ) -> RemoteEntry {
        let value: RemoteValue
        switch keyspace {
        case .records:
            let stamps = members.stamp.map {
                RemoteStamps(
                    $0, fields: members.stamps.flatMap(FieldStampSpelling.stamps), replaces: members.replaces)
            }
            value = .record(fields: members.fields, stamps: stamps)
        case .tombstones:
            guard let stamp = members.stamp else { return unreadable(key, "the tombstone has no valid _v", etag) }
            value = .tombstone(stamp: stamp, ended: members.fields[ended]?.text.flatMap { ContentHash($0) })
        }
        return RemoteEntry(key: key, value: value, serverTime: members.time, etag: etag)
    }

    /// What is no object.
    private static func entry(
        _ key: String, leaf value: JSONValue, in keyspace: Keyspace, _ etag: String?
    ) -> RemoteEntry {
        if value == .null { return RemoteEntry(key: key, value: .absent, etag: etag) }
        let wrong =
            switch keyspace {
            case .records: "the body is \(value.kind): a record is an object"
            case .tombstones: "its tombstone is \(value.kind), not an object"
            }
        return unreadable(key, wrong, etag)
    }

    /// An entry that can't be read, and why.
    package static func unreadable(_ key: String, _ message: String, _ etag: String?) -> RemoteEntry {
        RemoteEntry(key: key, value: .unreadable(Defect(.unreadableRecord, message)), etag: etag)
    }
}
