internal import FirebaseWire
internal import JSONText
internal import PluginKit
internal import SyncModel

extension EntryCoder {
    /// One multi-path `PATCH`: where it goes, and its body.
    struct Patch {
        var path: String
        var body: [UInt8]
    }

    /// The request that writes all `elements` at once.
    ///
    /// Elements of one keyspace are patched at that keyspace, each key a whole entry; elements of several at the database's
    /// root, by their full paths.
    static func patch(_ elements: [BatchElement], in location: DatabaseLocation) throws(RemoteError) -> Patch {
        let keyspaces = Set(elements.map(\.keyspace))
        let shared = keyspaces.count == 1 ? keyspaces.first : nil
        var body: [UInt8] = []
        body.reserveCapacity(elements.reduce(2) { $0 + size($1) })
        body.append(UInt8(ascii: "{"))
        for (index, element) in elements.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            let path = try location.path(of: element.key, in: element.keyspace)
            JSONWriter.append(shared == nil ? path : element.key, to: &body)
            body.append(UInt8(ascii: ":"))
            if let write = element.write {
                EntrySpelling.append(write, to: &body)
            } else {
                body.append(contentsOf: "null".utf8)
            }
        }
        body.append(UInt8(ascii: "}"))
        return Patch(
            path: try shared.map { keyspace throws(RemoteError) in try location.path(of: keyspace) } ?? "", body: body)
    }

    /// About how many bytes an element takes.
    private static func size(_ element: BatchElement) -> Int {
        guard case .record(let content, _, _)? = element.write?.body else { return 256 }
        return content.text.count + 256
    }
}
