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
    /// Elements of one keyspace are patched at that keyspace, each key a whole entry, in the order in which a stream shows them;
    /// elements of several at the database's root, by their full paths.
    static func patch(_ elements: [BatchElement], in location: DatabaseLocation) throws(RemoteError) -> Patch {
        guard let first = elements.first else { return Patch(path: "", body: Array("{}".utf8)) }
        let isShared = elements.allSatisfy { $0.keyspace == first.keyspace }
        var (keyspace, place) = (first.keyspace, try location.place(of: first.keyspace))
        var body: [UInt8] = []
        body.reserveCapacity(elements.reduce(2) { $0 + size($1) })
        var places: [SentPlace] = []
        places.reserveCapacity(elements.count)
        for index in order(of: elements, isShared: isShared) {
            // By its place: taken out of the array it would be copied.
            if !isShared, elements[index].keyspace != keyspace {
                keyspace = elements[index].keyspace
                place = try location.place(of: keyspace)
            }
            body.append(UInt8(ascii: body.isEmpty ? "{" : ","))
            if isShared {
                try place.check(elements[index].key)
                JSONWriter.append(elements[index].key, to: &body)
            } else {
                JSONWriter.append(try place.path(of: elements[index].key), to: &body)
            }
            body.append(UInt8(ascii: ":"))
            if let write = elements[index].write {
                places.append(EntrySpelling.append(write, element: index, to: &body))
            } else {
                body.append(contentsOf: "null".utf8)
            }
        }
        body.append(UInt8(ascii: "}"))
        return Patch(path: isShared ? place.path : "", body: body, places: places)
    }

    private static func order(of elements: [BatchElement], isShared: Bool) -> [Int] {
        guard isShared else { return Array(elements.indices) }
        // Mostly the first bytes tell, which are compared at once.
        let beginnings = elements.indices.map { (beginning(of: elements[$0].key), $0) }
        return beginnings.sorted { left, right in
            left.0 == right.0 ? elements[left.1].key < elements[right.1].key : left.0 < right.0
        }.map(\.1)
    }

    private static func beginning(of key: String) -> UInt64 {
        key.utf8.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << UInt64(56 - 8 * $1.offset) }
    }

    /// About how many bytes an element takes.
    private static func size(_ element: BatchElement) -> Int {
        guard case .record(let content, _, _)? = element.write?.body else { return 256 }
        return content.text.count + 256
    }
}
