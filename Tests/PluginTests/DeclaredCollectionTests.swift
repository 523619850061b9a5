import Artists
import DeclaredCollections
import JSONText
import PluginConformance
import PluginKit
import SyncModel
import TestSupport
import Testing

struct DeclaredCollectionTests {
    /// Books, with a field of each type.
    private static let books = """
        {"noun": "book", "columns": ["title", "author", "isRead"], "identity": ["key"], "fields": {
            "title": {"type": "text", "required": true, "maxLength": 200},
            "author": {"type": "text"},
            "isRead": {"type": "bool", "default": false},
            "pages": {"type": "integer", "minimum": 1, "maximum": 5000, "merge": "max"},
            "stars": {"type": "number", "minimum": 0, "maximum": 5},
            "read": {"type": "date"},
            "shelf": {"type": "text", "oneOf": ["attic", "cellar"], "default": "attic"},
            "tags": {"type": "texts", "maxCount": 3, "maxLength": 10, "merge": "set"},
            "more": {"type": "any"}
        }}
        """
    private static let artists = """
        {"noun": "artist", "columns": ["name", "yearFormed", "biography"], "fields": {
            "name": {"type": "text", "required": true},
            "biography": {"type": "text", "absent": [""]},
            "yearFormed": {"type": "integer", "noun": "year", "absent": [0, "", "0"]}
        }}
        """

    private static func declared(_ name: String, _ text: String) throws -> DeclaredCollection {
        DeclaredCollection(try CollectionDeclaration(name: name, text: Array(text.utf8)))
    }

    @Test func `keeps the promises of a collection`() throws {
        let full: [String: JSONValue] = [
            "title": "Emma", "author": "Austen", "isRead": true, "pages": 474, "stars": 4.5, "read": "2024-02-29",
            "shelf": "cellar", "tags": ["old", "good"], "more": ["a": [1, true]],
        ]
        let samples = CollectionSamples(
            accepted: [full, ["title": "1984"], ["title": "E", "tags": ["1": true, "2": true]]],
            refused: [
                [:], ["title": " "], ["title": 7], ["title": .string(String(repeating: "x", count: 201))],
                ["title": "E", "isRead": "yes"], ["title": "E", "pages": 0], ["title": "E", "pages": 1.5],
                ["title": "E", "stars": 5.1], ["title": "E", "read": "2023-02-29"], ["title": "E", "shelf": "roof"],
                ["title": "E", "tags": ["a", "b", "c", "d"]], ["title": "E", "tags": ["a", 1]],
                ["title": "E", "tags": ["a", true]],
                ["title": "E", "tags": ["0": true, "1": true, "2": true, "3": true]],
            ],
            foreign: [
                ["title": "E", "isRead": "yes", "pages": "474", "stars": "4.5"], ["title": "E", "isRead": 0],
                ["title": "E", "tags": ["a", nil, "c"]], ["title": "E", "tags": ["2": "c"]],
            ],
            unreadable: [
                [:], ["title": "E", "isRead": "maybe"], ["title": "E", "pages": "many"],
                ["title": "E", "stars": "nan"], ["title": "E", "tags": ["2": "c", "x": "y"]],
                ["title": "E", "tags": ["a", nil, 1]],
            ])
        #expect(CollectionConformance.run(try Self.declared("books", Self.books), samples) == [])
    }

    @Test func `says what it was told`() throws {
        let books = try Self.declared("books", Self.books)
        #expect(books.defaults == ["isRead": false, "shelf": "attic"])
        #expect(books.mergeRules == ["pages": .max, "tags": .set])
        #expect(books.textFields == ["title", "author", "read", "shelf"])
        let id = RecordID.random()
        #expect(books.identityFields(id) == ["key": .string(id.description)])
        #expect { try books.validated(["key": "x"]) } throws: {
            $0 as? Defect == Defect(.missingKey, "the book has no \"title\"")
        }
    }

    @Test(
        arguments: [
            (["a", nil, "c"], ["a", "c"]), (["2": "c"], ["c"]), (["10": "c", "9": "a"], ["a", "c"]),
            ([nil, true, true], [nil, true, true]), (["a": true], ["a": true]), ([nil], nil),
        ] as [(JSONValue, JSONValue?)])
    func `reads what the database leaves of a list that an app removes texts from`(
        tags: JSONValue, read: JSONValue?
    ) throws {
        let books = try Self.declared("books", Self.books)
        #expect(try books.normalized(["title": "Emma", "tags": tags])["tags"] == read)
    }

    @Test(
        arguments: [
            (["a", ""], "has an empty text in its list: leave it out"),
            (["", 1], "has a number in its list, which may only have texts"),
            (["a": false], "is an object, not a list of texts"), ("a", "is a string, not a list of texts"),
        ] as [(JSONValue, String)])
    func `says what a list of texts may not have`(tags: JSONValue, words: String) throws {
        let books = try Self.declared("books", Self.books)
        #expect { try books.validated(["title": "Emma", "tags": tags]) } throws: {
            $0 as? Defect == Defect(.invalidValue, "\"tags\" \(words)")
        }
    }

    /// What either reading makes of the same fields.
    private static func outcomes(
        _ plugin: any CollectionPlugin, _ fields: [String: JSONValue]
    ) -> [Result<Content, Defect>] {
        [
            Result { () throws(Defect) in Content(fields: try plugin.validated(fields)) },
            Result { () throws(Defect) in Content(fields: try plugin.normalized(fields)) },
        ]
    }

    @Test func `artists could be declared: the same records, the same defects, the same ids`() throws {
        let (compiled, declared) = (Artists(), try Self.declared("artists", Self.artists))
        #expect(declared.schema == compiled.schema)
        let values: [JSONValue] = [
            .null, true, 0, 0.0, 1965, -44, 1965.5, 1e300, "", " ", "0", "00", "1965", "+5", "19 65", "Pink Floyd",
            "ünï", .string(String(repeating: "x", count: 5_000)), [], [1], [:], ["a": 1],
        ]
        var random = SeededRandom(7)
        for _ in 0..<4_000 {
            var fields: [String: JSONValue] = Bool.random(using: &random) ? ["name": "Pink Floyd"] : [:]
            for name in ["name", "biography", "yearFormed", "country"] where Int.random(in: 0..<3, using: &random) == 0
            {
                fields[name] = values.randomElement(using: &random)
            }
            #expect(Self.outcomes(declared, fields) == Self.outcomes(compiled, fields), "\(fields)")
        }
        let id = RecordID.random()
        #expect(declared.identityFields(id) == compiled.identityFields(id))
    }

    @Test func `the digest tells meanings apart, and not spellings`() throws {
        let digest = try Self.declared("books", Self.books).declarationDigest
        let respelled = Self.books.replacing("\n", with: " ").replacing("\"maximum\": 5}", with: "\"maximum\": 5.0}")
        #expect(try Self.declared("books", respelled).declarationDigest == digest)
        for (old, new) in [("200", "201"), ("\"default\": false", "\"default\": true"), ("[\"key\"]", "[]")] {
            #expect(try Self.declared("books", Self.books.replacing(old, with: new)).declarationDigest != digest)
        }
        #expect(Artists().declarationDigest == nil)
    }

    @Test(arguments: [
        ("[]", "", "is an array, not an object with \"fields\" and \"columns\""),
        (#"{"columns": ["t"]}"#, "fields", "must have a key for each field"),
        (#"{"columns": ["x"], "fields": {"t": {"type": "text", "required": true}}}"#, "columns", "names \"x\""),
        (#"{"columns": ["t"], "fields": {"t": {"type": "text"}}}"#, "fields.t", "names the records, and must be"),
        (#"{"columns": ["t"], "fields": {"t": {"type": "string"}}}"#, "fields.t.type", "is \"string\", not one of"),
        (#"{"columns": ["t"], "fields": {"t": {"typ": "text"}}}"#, "fields.t.typ", "unknown key; did you mean type?"),
        (#"{"columns": ["a.b"], "fields": {"a.b": {"type": "text"}}}"#, "fields.a.b", "can't be stored"),
        (#"{"name": "x", "columns": ["t"], "fields": {"t": {"type": "text"}}}"#, "name", "make them equal"),
        (
            #"{"columns": ["t"], "fields": {"t": {"type": "text", "required": true, "minimum": 1}}}"#,
            "fields.t.minimum", "has a meaning for the type integer or number only"
        ),
        (
            #"{"columns": ["t"], "fields": {"t": {"type": "text", "required": true}, "n": {"type": "integer", "default": "x"}}}"#,
            "fields.n.default", "is what this field can't be"
        ),
        (
            #"{"columns": ["t"], "fields": {"t": {"type": "text", "required": true}}, "identity": ["t"]}"#,
            "identity", "one of the fields"
        ),
    ])
    func `a bad declaration is told where it is bad`(text: String, path: String, words: String) throws {
        let rejected = #expect(throws: DeclarationRejected.self) { _ = try Self.declared("books", text) }
        let found = rejected?.problems.first { $0.path.joined(separator: ".") == path }
        #expect(found?.message.contains(words) == true, "\(rejected?.problems ?? [])")
    }
}
