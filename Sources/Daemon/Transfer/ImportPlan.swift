internal import Firebase
internal import JSONText
internal import SyncModel

/// How a file of JSON becomes requests: one where it fits, else several that follow each other.
struct ImportPlan {
    /// A value of the file and the path it goes to, relative to the target.
    struct Entry {
        /// As JSON writes it between quotes.
        let path: [UInt8]
        /// Where in the file; nil deletes.
        let value: Range<Int>?
    }

    enum Request {
        /// The whole file as the target's value.
        case whole(Range<Int>)
        /// Some values, all or none.
        case some([Entry])
    }

    /// What happens to what the target has already.
    enum Mode {
        /// It is replaced.
        case replace
        /// Children that the file has are replaced; all others stay.
        case merge
    }

    let requests: [Request]
    /// The values in the file that are no objects.
    let leaves: Int

    /// Reads the file.
    ///
    /// - Parameters:
    ///   - maxBytes: the bytes that a request may have.
    ///   - chunkSize: the bytes that a request should have, where one is not enough.
    /// - Throws: ``JSONFault``, or a ``CommandFailure`` where the file can't be imported that way.
    init(_ bytes: UnsafeRawBufferPointer, mode: Mode, maxBytes: Int, chunkSize: Int) throws {
        let (place, leaves) = try JSONScanner.value(in: bytes)
        guard leaves > 0 else {
            throw CommandFailure(
                .dataError, "there is nothing in the file: to empty a database, delete its data by name")
        }
        self.leaves = leaves
        if mode == .replace, place.count <= maxBytes {
            requests = [.whole(place)]
            return
        }
        var split = Split(bytes: bytes, chunkSize: place.count <= maxBytes ? maxBytes : min(chunkSize, maxBytes))
        guard try split.add(place, at: []) else {
            throw CommandFailure(.dataError, "a single value can't be merged or cut: it must be an object")
        }
        var requests: [Request] = []
        // A child that comes in pieces is emptied first, as it would be if it came whole.
        let emptied = split.cut.map { Entry(path: $0, value: nil) }
        if mode == .merge, !emptied.isEmpty { requests.append(.some(emptied)) }
        self.requests = requests + split.batches.map(Request.some)
    }

    /// The body of a request, from the same file.
    func body(of request: Request, in bytes: UnsafeRawBufferPointer) -> [UInt8] {
        switch request {
        case .whole(let place): return Array(bytes[place])
        case .some(let entries):
            var text: [UInt8] = [UInt8(ascii: "{")]
            for entry in entries {
                if text.count > 1 { text.append(UInt8(ascii: ",")) }
                text.append(UInt8(ascii: "\""))
                text.append(contentsOf: entry.path)
                text.append(contentsOf: "\":".utf8)
                if let place = entry.value {
                    text.append(contentsOf: bytes[place])
                } else {
                    text.append(contentsOf: "null".utf8)
                }
            }
            text.append(UInt8(ascii: "}"))
            return text
        }
    }
}

/// Cuts a value into entries that fit into requests.
private struct Split {
    let bytes: UnsafeRawBufferPointer
    let chunkSize: Int
    private(set) var batches: [[ImportPlan.Entry]] = []
    /// The paths of values that were too large for one request.
    private(set) var cut: [[UInt8]] = []
    /// The bytes of the last batch.
    private var size = 0

    init(bytes: UnsafeRawBufferPointer, chunkSize: Int) {
        self.bytes = bytes
        self.chunkSize = chunkSize
    }

    /// Adds the children of the value at `place`; false where it has none.
    mutating func add(_ place: Range<Int>, at path: [UInt8]) throws -> Bool {
        guard let members = try JSONScanner.members(at: place, in: bytes) else { return false }
        for member in members {
            try check(member.key)
            let path = path.isEmpty ? member.key : path + [UInt8(ascii: "/")] + member.key
            if member.value.count > chunkSize, try add(member.value, at: path) {
                // What is cut below it is emptied with it.
                cut.removeAll { $0.starts(with: path + [UInt8(ascii: "/")]) }
                cut.append(path)
                continue
            }
            if batches.isEmpty || size + member.value.count + path.count > chunkSize {
                batches.append([])
                size = 0
            }
            size += member.value.count + path.count + 4
            batches[batches.count - 1].append(ImportPlan.Entry(path: path, value: member.value))
        }
        return true
    }

    /// A key with a slash would be taken for a path.
    private func check(_ key: [UInt8]) throws {
        let text = try? JSONReader.value([UInt8(ascii: "\"")] + key + [UInt8(ascii: "\"")]).text
        guard let text, FirebaseRemote.isKey(text) || text == ".priority" else {
            let shown = String(decoding: key.prefix(80), as: UTF8.self)
            throw CommandFailure(
                .dataError, "\"\(shown)\" can't be a key: it is too long, empty, or has one of . $ # [ ] /")
        }
    }
}
