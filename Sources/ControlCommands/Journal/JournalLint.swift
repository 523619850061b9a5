internal import ControlAPI
internal import JSONText
internal import SyncModel

/// Checks journal lines the way the daemon reads them, as far as that can be done without its state.
enum JournalLint {
    /// What is wrong with a line (without its end); nil where nothing is.
    static func defect(in line: [UInt8]) -> Defect? {
        do throws(Defect) {
            try check(line)
            return nil
        } catch {
            return error
        }
    }

    private static func check(_ line: [UInt8]) throws(Defect) {
        guard line.count <= JournalEdit.longestLine else {
            throw Defect(.lineTooLong, "the line has more than \(JournalEdit.longestLine) bytes")
        }
        guard String(validating: line, as: UTF8.self) != nil else {
            throw Defect(.invalidUTF8, "the line is not UTF-8")
        }
        let members: [String: JSONValue]
        do throws(JSONSyntaxError) {
            members = try JSONReader.members(line)
        } catch {
            throw Defect(.invalidJSON, error.message)
        }
        let kind = try kind(members)
        try checkIdentity(members)
        try checkFields(members, of: kind)
        try checkOrigin(members)
    }

    private static func kind(_ members: [String: JSONValue]) throws(Defect) -> Operation.Kind {
        guard let value = members["op"] else { throw Defect(.missingKey, "'op' is missing") }
        guard let kind = value.text.flatMap(Operation.Kind.init(rawValue:)) else {
            throw Defect(.unknownOperation, "'op' is \(shown(value)), not create, update or delete")
        }
        return kind
    }

    private static func checkIdentity(_ members: [String: JSONValue]) throws(Defect) {
        guard let id = members["id"] else { throw Defect(.missingKey, "'id' is missing") }
        guard id.text.flatMap({ RecordID($0) }) != nil else {
            throw Defect(.invalidValue, "'id' is \(shown(id)), not a UUID")
        }
        if let collection = members["collection"], collection.text.flatMap({ CollectionID($0) }) == nil {
            throw Defect(.invalidValue, "'collection' is \(shown(collection)), which no collection is called")
        }
    }

    private static func checkFields(_ members: [String: JSONValue], of kind: Operation.Kind) throws(Defect) {
        guard let fields = members["fields"] else {
            guard kind == .delete else { throw Defect(.missingKey, "'fields' is missing") }
            return
        }
        guard fields.members != nil else {
            throw Defect(.invalidValue, "'fields' is \(fields.kind), not an object")
        }
    }

    private static func checkOrigin(_ members: [String: JSONValue]) throws(Defect) {
        if let at = members["at"], at.text.flatMap({ Moment($0) }) == nil {
            throw Defect(.invalidValue, "'at' is \(shown(at)), not an RFC 3339 time")
        }
        if let opID = members["opID"], opID.text == nil {
            throw Defect(.invalidValue, "'opID' is \(opID.kind), not a string")
        }
    }

    private static func shown(_ value: JSONValue) -> String {
        guard let text = value.text else { return value.kind }
        return "\"\(text.prefix(60))\""
    }
}

/// Cuts a journal into lines, chunk by chunk, and keeps what is wrong with them.
struct JournalCheck: Sendable {
    struct BadLine: Codable, Hashable, Sendable {
        /// Counted from 1.
        var line: Int
        /// Where the line begins, in bytes.
        var offset: UInt64
        /// With its line end.
        var length: Int
        var code: String
        var message: String
    }

    /// How many lines there are, blank ones included.
    private(set) var lines = 0
    private(set) var bad: [BadLine] = []
    private var rest: [UInt8] = []
    /// How many bytes of the line in `rest` were dropped because it is too long anyway.
    private var dropped = 0
    private var offset: UInt64 = 0

    /// Takes the next bytes of the file.
    mutating func read(_ chunk: [UInt8]) {
        var start = chunk.startIndex
        while let end = chunk[start...].firstIndex(of: UInt8(ascii: "\n")) {
            keep(chunk[start..<end])
            endLine()
            start = end + 1
        }
        keep(chunk[start...])
    }

    /// Whether the file ends in the middle of a line: the daemon waits for its end.
    var isUnfinished: Bool { !rest.isEmpty || dropped > 0 }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        // One byte more than allowed is enough to see that it is too many.
        let room = max(0, JournalEdit.longestLine + 1 - rest.count)
        rest.append(contentsOf: bytes.prefix(room))
        dropped += max(0, bytes.count - room)
    }

    private mutating func endLine() {
        lines += 1
        let length = rest.count + dropped + 1
        var line = rest
        if lines == 1, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        if !line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }),
            let defect = JournalLint.defect(in: line)
        {
            bad.append(
                BadLine(line: lines, offset: offset, length: length, code: defect.code.word, message: defect.message)
            )
        }
        offset += UInt64(length)
        rest.removeAll(keepingCapacity: true)
        dropped = 0
    }
}
