import JSONText
import SyncCore
import SyncModel
import Testing

struct OperationReaderTests {
    static let id = "6F9619FF-8B86-4011-B42D-00C04FC964FF"

    private func read(_ line: String) throws(Defect) -> Operation {
        try Operation(line: Array(line.utf8)[...], keys: .uuids)
    }

    @Test func `a create names everything`() throws {
        let line = """
            {"op":"create","collection":"artists","id":"\(Self.id.lowercased())","fields":{"name":"Pink Floyd"},\
            "at":"2026-11-20T20:15:04.120Z","opID":"x","unknown":[1]}
            """
        let operation = try read(line)
        #expect(operation.kind == .create)
        #expect(operation.key.collection == "artists")
        #expect(operation.key.id.description == Self.id)
        #expect(operation.fields == ["name": "Pink Floyd"])
        #expect(operation.at == 1_795_205_704_120)
        #expect(operation.opID == "x")
    }

    @Test func `what may be left out has its default, and null is the same as left out`() throws {
        let short = try read("{\"op\":\"update\",\"id\":\"\(Self.id)\",\"fields\":{\"hasWatched\":true}}")
        let nulls = try read(
            "{\"op\":\"update\",\"id\":\"\(Self.id)\",\"fields\":{\"hasWatched\":true},\"at\":null,"
                + "\"opID\":null,\"collection\":null}")
        #expect(short == nulls)
        #expect(short.key.collection == "movies")
        #expect(short.at == nil)
        #expect(short.opID == nil)
    }

    @Test func `a delete has no fields, whatever it says`() throws {
        let operation = try read("{\"op\":\"delete\",\"id\":\"\(Self.id)\",\"fields\":7}\r")
        #expect(operation.kind == .delete)
        #expect(operation.fields.isEmpty)
    }

    @Test(arguments: Operation.lineKeys + ["seq", "stamp"])
    func `a key that a line may have is not ignored`(key: String) throws {
        let line = #"{"x":1,"\#(key)":null,"op":"create","id":"\#(Self.id)","fields":{"title":"Alien"}}"#
        #expect(try read(line).ignoredKeys == ["x"])
    }

    @Test func `of two members with one name the last one counts, and one that nobody knows is named once`() throws {
        let line =
            #"{"op":"delete","x":1,"fields":{"a":1},"A":2,"x":3,"fields":{"b":1},"op":"create","id":"\#(Self.id)"}"#
        let operation = try read(line)
        #expect(operation.kind == .create && operation.fields == ["b": 1] && operation.ignoredKeys == ["A", "x"])
    }

    @Test func `the fields of a delete are ignored, and named where there are some`() throws {
        let line = #"{"op":"delete","zz":1,"fields":{"a":1},"id":"\#(Self.id)"}"#
        #expect(try read(line).ignoredKeys == ["fields", "zz"])
        #expect(try read(#"{"op":"delete","fields":{},"id":"\#(Self.id)"}"#).ignoredKeys.isEmpty)
    }

    // MARK: Keys that are made of fields

    private static let reviews = KeyTemplates { collection in
        collection == "reviews" ? KeyTemplate([.init("film", isInteger: true), .init("uid")]) : .uuid
    }

    private static func review(_ line: String) throws(Defect) -> Operation {
        try Operation(line: Array(#"{"collection":"reviews",\#(line)}"#.utf8)[...], keys: reviews)
    }

    @Test func `a key that is made of fields is the record's id, and its parts are fields`() throws {
        let ways = [
            #""op":"create","id":"348/anna","fields":{"text":"t"}"#,
            #""op":"create","fields":{"text":"t","film":348,"uid":"anna"}"#,
            #""op":"create","id":"348/anna","fields":{"text":"t","film":"348"}"#,
        ]
        let read = try ways.map(Self.review)
        for operation in read {
            #expect(operation.key == read[0].key && operation.keyInRemote == "348/anna")
            #expect(operation.fields == ["text": "t", "film": 348, "uid": "anna"])
        }
        // Never another one: it stands in every database.
        #expect(read[0].key.id.description == "3251C40F-988E-5F4B-BACE-5BA6A15CEEB4")
        let named = #""op":"create","id":"\#(read[0].key.id)","fields":{"text":"t","film":348,"uid":"anna"}"#
        #expect(try Self.review(named) == read[0])
        #expect(try Self.review(#""op":"delete","id":"348/anna""#).key == read[0].key)
        let update = try Self.review(#""op":"update","id":"348/anna","fields":{"text":"new","uid":"anna"}"#)
        #expect(update.key == read[0].key && update.fields == ["text": "new"])
    }

    @Test(arguments: [
        (#""op":"create","id":"348","fields":{}"#, #""id" is "348", neither a UUID nor a key such as film/uid"#),
        (#""op":"create","id":"0348/anna","fields":{}"#, #""id" is "0348/anna", neither a UUID"#),
        (#""op":"create","id":"348/an.na","fields":{}"#, #""id" is "348/an.na", neither a UUID"#),
        (#""op":"create","id":"348/anna","fields":{"film":7}"#, #""film" is 7, but the key is 348/anna"#),
        (#""op":"create","fields":{"film":348}"#, #"the record has no "uid", which is part of its key"#),
        (#""op":"create","fields":{"film":1.5,"uid":"a"}"#, #""film" is a number, and can't be part of a key"#),
        (#""op":"delete""#, #"the line has no "id": it is a key such as film/uid"#),
        (
            #""op":"create","id":"6F9619FF-8B86-4011-B42D-00C04FC964FF","fields":{"film":348,"uid":"anna"}"#,
            #""id" is not that of 348/anna"#
        ),
    ])
    func `a key that can't be one says what it should be`(line: String, words: String) {
        #expect { try Self.review(line) } throws: { ($0 as? Defect)?.message.hasPrefix(words) == true }
    }

    @Test(arguments: [#""op":"create","id":"348/anna","fields":{}"#, #""op":"create","fields":{"film":348}"#])
    func `what the keys of a collection are that is not enabled nobody knows`(line: String) throws {
        let line = Array(#"{"collection":"reviews",\#(line)}"#.utf8)[...]
        #expect { try Operation(line: line, keys: KeyTemplates { _ in nil }) } throws: { error in
            (error as? Defect) == Defect(.unknownCollection, "there is no enabled collection \"reviews\"")
        }
    }

    @Test func `null removes a field, and is kept until then`() throws {
        let operation = try read("{\"op\":\"update\",\"id\":\"\(Self.id)\",\"fields\":{\"year\":null}}")
        #expect(operation.fields == ["year": nil])
    }

    static let bad: [(String, Defect.Code)] = [
        ("", .invalidJSON), ("hello", .invalidJSON), ("{\"op\":\"create\"", .invalidJSON), ("[]", .invalidJSON),
        ("\"create\"", .invalidJSON), ("{\"a\":\"\\ud800\"}", .invalidJSON), ("{} {}", .invalidJSON),
        (String(repeating: "[", count: 5000), .invalidJSON), ("{}", .missingKey), ("{\"op\":\"create\"}", .missingKey),
        ("{\"op\":\"create\",\"id\":null}", .missingKey), ("{\"op\":7,\"id\":\"\(id)\"}", .invalidValue),
        ("{\"op\":\"Create\",\"id\":\"\(id)\",\"fields\":{}}", .unknownOperation),
        ("{\"op\":\"upsert\\nx\",\"id\":\"\(id)\",\"fields\":{}}", .unknownOperation),
        ("{\"op\":\"delete\",\"id\":7}", .invalidValue), ("{\"op\":\"delete\",\"id\":\"7\"}", .invalidValue),
        ("{\"op\":\"delete\",\"id\":{\"a\":\"\(id)\"}}", .invalidValue),
        ("{\"op\":\"create\",\"id\":\"\(id)\"}", .missingKey),
        ("{\"op\":\"update\",\"id\":\"\(id)\",\"fields\":null}", .missingKey),
        ("{\"op\":\"create\",\"id\":\"\(id)\",\"fields\":[]}", .invalidValue),
        ("{\"op\":\"delete\",\"id\":\"\(id)\",\"collection\":\"Movies\"}", .unknownCollection),
        ("{\"op\":\"delete\",\"id\":\"\(id)\",\"collection\":\"../x\"}", .unknownCollection),
        ("{\"op\":\"delete\",\"id\":\"\(id)\",\"collection\":1}", .invalidValue),
        ("{\"op\":\"delete\",\"id\":\"\(id)\",\"at\":1795205704120}", .invalidValue),
        ("{\"op\":\"delete\",\"id\":\"\(id)\",\"at\":\"yesterday\"}", .invalidValue),
        ("{\"op\":\"delete\",\"id\":\"\(id)\",\"at\":\"2026-02-30T00:00:00Z\"}", .invalidValue),
        ("{\"op\":\"delete\",\"id\":\"\(id)\",\"opID\":1}", .invalidValue),
        ("{\"op\":\"delete\",\"id\":\"\(id)\",\"opID\":\"\(String(repeating: "x", count: 1025))\"}", .invalidValue),
        ("{\"op\":\"create\",\"id\":\"\(id)\",\"fields\":{\"_v\":1}}", .invalidValue),
        ("{\"op\":\"create\",\"id\":\"\(id)\",\"fields\":{\"a.b\":1}}", .invalidValue),
    ]

    @Test(arguments: bad)
    func `a bad line says what is wrong with it, on one line`(line: String, code: Defect.Code) {
        #expect { try read(line) } throws: { error in
            guard let defect = error as? Defect else { return false }
            return defect.code == code && !defect.message.isEmpty && !defect.message.contains { $0.isNewline }
        }
    }

    @Test(arguments: [
        (
            #""opID":"\#(String(repeating: "x", count: 1025))""#,
            #""opID" is a string of 1025 bytes, not a string of up to 1024 bytes"#
        ),
        (#""opID":1"#, #""opID" is a number, not a string of up to 1024 bytes"#),
        (#""by":"""#, #""by" is empty, not the uid of a person: a string of 1 to 700 bytes"#),
        (
            #""by":"\#(String(repeating: "x", count: 701))""#,
            #""by" is a string of 701 bytes, not the uid of a person: a string of 1 to 700 bytes"#
        ),
        (#""by":7"#, #""by" is a number, not the uid of a person: a string of 1 to 700 bytes"#),
        (#""at":"1960-01-01T00:00:00Z""#, #""at" is "1960-01-01T00:00:00Z", but must not lie before 1970"#),
        (#""at":"1960""#, #""at" is "1960", not an RFC 3339 time such as 2026-11-20T20:15:04Z"#),
        (#""at":7"#, #""at" is 7, not an RFC 3339 time such as 2026-11-20T20:15:04Z"#),
    ])
    func `a bad value is told as it is`(member: String, words: String) {
        #expect {
            try read("{\"op\":\"delete\",\"id\":\"\(Self.id)\",\(member)}")
        } throws: {
            ($0 as? Defect)?.message == words
        }
    }

    @Test func `fields that are null are not called missing`() {
        #expect {
            try read("{\"op\":\"create\",\"id\":\"\(Self.id)\",\"fields\":null}")
        } throws: {
            ($0 as? Defect)?.message == "\"fields\" is null, not an object"
        }
    }

    @Test(arguments: [[0xFF], Array("{\"op\":\"".utf8) + [0xC3, 0x28]] as [[UInt8]])
    func `bytes that are not UTF-8 are told from bad JSON`(bytes: [UInt8]) {
        #expect { try Operation(line: bytes[...], keys: .uuids) } throws: { ($0 as? Defect)?.code == .invalidUTF8 }
    }
}

struct FieldRulesTests {
    private func nested(_ depth: Int) -> JSONValue { depth == 0 ? 1 : ["a": nested(depth - 1)] }

    @Test(arguments: [
        "", "a.b", "a$", "#a", "a[0", "a]", "a/b", "a\u{0}", "a\u{1F}", "a\u{7F}", String(repeating: "x", count: 701),
    ])
    func `names that the database can't store are refused at every level`(name: String) {
        for fields in [[name: 1], ["a": [name: 1]], ["a": [["b": [name: 1]]]]] as [[String: JSONValue]] {
            #expect { try FieldRules.check(fields) } throws: { ($0 as? Defect)?.code == .invalidValue }
        }
    }

    @Test(arguments: ["a", "ünï", "🎬", "a b", "0", "-", "\u{80}", String(repeating: "x", count: 700)])
    func `all other names pass`(name: String) throws { try FieldRules.check([name: ["x": [name: nil]]]) }

    @Test func `the daemon's own keys are reserved at the top, and free below`() throws {
        for key in ["_v", "_t"] {
            #expect(throws: Defect.self) { try FieldRules.check([key: nil]) }
            try FieldRules.check(["a": [key: 1]])
        }
    }

    @Test func `nesting ends at 20 levels, objects and arrays alike`() throws {
        try FieldRules.check(["a": nested(19)])
        #expect(throws: Defect.self) { try FieldRules.check(["a": nested(20)]) }
        var array: JSONValue = 1
        for _ in 0..<25 { array = [array] }
        #expect(throws: Defect.self) { try FieldRules.check(["a": array]) }
    }
}
