import JSONText
import JournalTail
import SyncModel
import TestSupport

extension FuzzTarget {
    private static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    /// Lines of a journal.
    static let journal = FuzzTarget(
        "journal",
        seeds: [
            #"{"op":"create","id":"\#(id)","fields":{"title":"Alien","hasWatched":false}}"# + "\n",
            #"{"op":"update","id":"\#(id)","fields":{"a":{"b":[1,null,{"c":2.50}]}},"at":"2026-11-20T20:15:04.120Z"}"#
                + "\r\n" + #"{"op":"delete","id":"\#(id)","opID":"x1","collection":"artists"}"# + "\n",
            #"{"op":"create","collection":"reviews","id":"348/anna","fields":{"text":"t"}}"# + "\n"
                + #"{"op":"update","collection":"reviews","fields":{"film":348,"uid":"anna","text":null}}"# + "\n",
            "\u{FEFF}\n \t\n"
                + #"{"at":"2026-11-21T21:15:04+01:00","op":"update","id":"\#(id.lowercased())","fields":{}}"# + "\n",
        ],
        words: [
            "op", "create", "update", "delete", "id", id, "fields", "collection", "at", "opID", "_v", "a.b", "-00:00",
            "reviews", "348/anna", "film", "uid",
        ]
    ) { input in
        let whole = lines(input, sizes: [max(1, input.count)])
        try promise(lines(input, sizes: cuts(input)) == whole, "other pieces give other lines")
        var isTaken = false
        for case .line(let line) in whole { isTaken = try read(line.bytes) || isTaken }
        return isTaken
    }

    /// One collection whose keys are made of fields.
    private static let keys = KeyTemplates { collection in
        collection == "reviews" ? KeyTemplate([.init("film", isInteger: true), .init("uid")]) : .uuid
    }

    private static func lines(_ input: [UInt8], sizes: [Int]) -> [JournalElement] {
        var framing = JournalFraming()
        var elements: [JournalElement] = []
        for piece in Pieces(input, sizes: sizes) {
            framing.add(Array(piece))
            while let element = framing.next() { elements.append(element) }
        }
        return elements
    }

    private static func read(_ line: ArraySlice<UInt8>) throws -> Bool {
        let operation: Operation
        do {
            operation = try Operation(line: line, keys: keys)
        } catch {
            try promiseOneLine(error)
            return false
        }
        var members: [String: JSONValue] = [
            "op": .string(operation.kind.rawValue), "id": .string(operation.key.id.description),
            "collection": .string(operation.key.collection.name), "fields": .object(operation.fields),
        ]
        if let at = operation.at { members["at"] = .string(RFC3339.text(at)) }
        if let opID = operation.opID { members["opID"] = .string(opID) }
        let written = JSONWriter.text(members)
        var (again, before) = (try Operation(line: written[...], keys: keys), operation)
        (again.ignoredKeys, before.ignoredKeys) = ([], [])
        // It is written with its id.
        (again.keyInRemote, before.keyInRemote) = (nil, nil)
        try promise(again == before, "written and read again it is another operation")
        let content = Content(fields: operation.fields)
        try promise(Content(fields: content.fields) == content, "the canonical form of a canonical form is another one")
        return true
    }

    /// JSON, for its three readers.
    static let json = FuzzTarget(
        "json",
        seeds: [
            #"{"a":[1,2.5,-3e10,true,false,null,"text \" \\ \u00e4 \ud83c\udfac"],"b":{"c":{}}}"#, "[[[[]]]]",
            #" {"0":1,"1":[],"10":"x"} "#, "9223372036854775807", "\"\"", "123456789012345678901234567890",
        ]
    ) { input in
        let scanned = Result { try input.withUnsafeBytes { try JSONScanner.value(in: $0) } }
        if case .failure(let error) = scanned { try promiseOneLine(error) }
        let value: JSONValue
        do {
            value = try JSONReader.value(input)
        } catch {
            try promiseOneLine(error)
            return false
        }
        if case .failure(let error) = scanned { throw Finding("one reader takes it, the other says \(error)") }
        let text = JSONWriter.text(value)
        try promise(try JSONReader.value(text) == value, "written and read again it is another value")
        try promise(JSONWriter.text(try JSONReader.value(text)) == text, "written twice it is another text")
        let tokens = try input.withUnsafeBufferPointer { try JSONReader.read($0) { $0.value() } }
        try promise(tokens == value, "token by token it is another value")
        return true
    }
}
