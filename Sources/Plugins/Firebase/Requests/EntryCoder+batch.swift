internal import FirebaseWire
internal import JSONText
internal import PluginKit
internal import SyncModel

extension EntryCoder {
    /// One multi-path `PATCH`: where it goes, and its body.
    struct Patch {
        var path: String
        var body: [UInt8]
        /// Where in it the writes are.
        var places: [SentPlace] = []
    }

    /// The request that writes all `elements` at once.
    ///
    /// Elements of one keyspace are patched at that keyspace, each key a whole entry; elements of several at the database's
    /// root, by their full paths.
    static func patch(_ elements: [BatchElement], in location: DatabaseLocation) throws(RemoteError) -> Patch {
        guard let first = elements.first else { return Patch(path: "", body: Array("{}".utf8)) }
        let isShared = elements.allSatisfy { $0.keyspace == first.keyspace }
        var (keyspace, place) = (first.keyspace, try location.place(of: first.keyspace))
        var body: [UInt8] = []
        body.reserveCapacity(elements.reduce(2) { $0 + size($1) })
        var places: [SentPlace] = []
        places.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            if element.keyspace != keyspace {
                (keyspace, place) = (element.keyspace, try location.place(of: element.keyspace))
            }
            body.append(UInt8(ascii: body.isEmpty ? "{" : ","))
            if isShared {
                try place.check(element.key)
                JSONWriter.append(element.key, to: &body)
            } else {
                JSONWriter.append(try place.path(of: element.key), to: &body)
            }
            body.append(UInt8(ascii: ":"))
            if let write = element.write {
                places.append(EntrySpelling.append(write, element: index, to: &body))
            } else {
                body.append(contentsOf: "null".utf8)
            }
        }
        body.append(UInt8(ascii: "}"))
        return Patch(path: isShared ? place.path : "", body: body, places: places)
    }

    /// About how many bytes an element takes.
    private static func size(_ element: BatchElement) -> Int {
        guard case .record(let content, _, _)? = element.write?.body else { return 256 }
        return content.text.count + 256
    }
}
