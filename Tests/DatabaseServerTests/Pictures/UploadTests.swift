import Foundation
import JSONText
import NIOHTTP1
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

/// Uploads in several requests, as the SDKs of phones make them.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct UploadTests {
    private static func step(_ command: String, offset: Int? = nil) -> [String: String] {
        var fields = ["X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": command]
        if let offset { fields["X-Goog-Upload-Offset"] = "\(offset)" }
        return fields
    }

    /// What follows the bucket in the address that the start of an upload says.
    private func begin(
        _ client: PictureClient, _ name: String, _ token: JSONValue, body: String = "{}", length: Int? = nil
    ) async throws -> (place: String?, reply: PictureClient.Reply) {
        var fields = Self.step("start")
        fields["Content-Type"] = "application/json; charset=utf-8"
        if let length { fields["X-Goog-Upload-Header-Content-Length"] = "\(length)" }
        let reply = try await client.call("POST", "o?name=\(name.escaped)", Array(body.utf8), token: token, fields)
        let address = reply.headers.first(name: "X-Goog-Upload-URL")
        #expect(address?.hasPrefix(client.accounts.http.base + "/v0/b/demo.appspot.com/o?") ?? true)
        let place = address?.range(of: "/o?").map { "o?" + (address?[$0.upperBound...] ?? "") }
        return (place, reply)
    }

    @Test func `a picture comes in one piece or in several`() async throws {
        try await withPictures { client async throws in
            let anna = try await client.person("anna")
            let name = "profiles/\(anna.uid).jpg"
            let begun = try await begin(client, name, anna.token, body: #"{"metadata":{"by":"phone"}}"#, length: 304)
            let place = try #require(begun.place)
            #expect(begun.reply.headers.first(name: "X-Goog-Upload-Status") == "active")
            let page = Self.step("start").merging(["Origin": "https://films.example.org"]) { $1 }
            let seen = try await client.call("POST", "o?name=\(name)", [], token: anna.token, page)
            let exposed = seen.headers.first(name: "Access-Control-Expose-Headers") ?? ""
            #expect(exposed.contains("X-Goog-Upload-URL") && exposed.contains("X-Goog-Upload-Status"))
            let whole = Self.step("upload, finalize", offset: 0)
            let stored = try await client.call("POST", place, PictureClient.jpeg, whole)
            #expect(stored.status == 200 && stored.members["metadata"] == ["by": "phone"])
            #expect(stored.headers.first(name: "X-Goog-Upload-Status") == "final")
            // It is over.
            #expect(try await client.call("POST", place, [], Self.step("query")).status == 404)

            let second = try #require(try await begin(client, name, anna.token, body: "").place)
            let (head, tail) = (Array(PictureClient.jpeg.prefix(100)), Array(PictureClient.jpeg.dropFirst(100)))
            let first = try await client.call("POST", second, head, Self.step("upload", offset: 0))
            #expect(first.headers.first(name: "X-Goog-Upload-Size-Received") == "100")
            #expect(try await client.call("POST", second, head, Self.step("upload", offset: 0)).status == 400)
            let asked = try await client.call("POST", second, [], Self.step("query"))
            #expect(asked.headers.first(name: "X-Goog-Upload-Size-Received") == "100")
            #expect(try await client.call("POST", second, tail, Self.step("upload", offset: 100)).status == 200)
            #expect(try await client.call("POST", second, [], Self.step("finalize")).members["size"] == "304")
            let place2 = "o/\(name.escaped)?alt=media"
            #expect(try await client.call("GET", place2, token: anna.token).bytes == PictureClient.jpeg)
        }
    }

    @Test func `what may not be uploaded is refused at the start, and what is no picture at the end`() async throws {
        try await withPictures { client async throws in
            let (anna, bob) = (try await client.person("anna"), try await client.person("bob"))
            let name = "profiles/\(anna.uid).jpg"
            #expect(try await begin(client, name, bob.token).reply.status == 403)
            #expect(try await begin(client, name, .null).reply.status == 403)
            #expect(try await begin(client, name, anna.token, length: PictureRules.largest + 1).reply.status == 413)
            #expect(try await begin(client, name, anna.token, body: "[]").reply.status == 400)
            #expect(try await begin(client, name, anna.token, body: #"{"metadata":7}"#).reply.status == 400)
            let place = try #require(try await begin(client, name, anna.token).place)
            for (step, status) in [("upload, finalize", 404), ("query", 404), ("nonsense", 400), ("", 400)] {
                let guess = "o?name=\(name.escaped)&upload_id=guess"
                #expect(try await client.call("POST", guess, PictureClient.jpeg, Self.step(step)).status == status)
            }
            let whole = Self.step("upload, finalize", offset: 0)
            let end = try await client.call("POST", place, Array("<svg/>".utf8), whole)
            #expect(end.status == 400 && end.refusal?.contains("JPEG") == true)
            let third = try #require(try await begin(client, name, anna.token).place)
            #expect(try await client.call("POST", third, [], Self.step("cancel")).status == 200)
            #expect(try await client.call("POST", third, [], Self.step("query")).status == 404)
            #expect(try await client.call("GET", "o/\(name.escaped)", token: bob.token).status == 404)
        }
    }

    private static func name(_ person: String) throws -> PictureName {
        try #require(PictureName("profiles/\(person).jpg"))
    }

    @Test func `what nobody goes on with lapses, and nobody has many at once`() throws {
        var book = UploadBook()
        let name = try Self.name("anna")
        for number in 0...UploadBook.mostOfOne {
            try book.begin("\(number)", name, by: .person("anna"), said: [:], now: 0)
        }
        #expect(throws: ObjectRefusal.unknownUpload) { try book.received("0", now: 1) }
        #expect(try book.received("1", now: 1) == 0)
        try book.append([1], at: 0, to: "2", now: 5)
        #expect(throws: ObjectRefusal.unknownUpload) { try book.received("1", now: UploadBook.patience) }
        #expect(try book.received("2", now: UploadBook.patience) == 1)
        #expect(throws: ObjectRefusal.wrongOffset) { try book.append([1], at: 0, to: "2", now: 6) }
        #expect(try book.end("2", now: 7).bytes == [1])
        #expect(throws: ObjectRefusal.unknownUpload) { try book.end("2", now: 7) }
        for number in 0..<UploadBook.most {
            try? book.begin("p\(number)", name, by: .person("\(number)"), said: [:], now: 8)
        }
        #expect(throws: ObjectRefusal.busy) { try book.begin("x", name, by: .person("x"), said: [:], now: 8) }
        try book.begin("y", name, by: .person("x"), said: [:], now: 9 + UploadBook.patience)
    }

    @Test func `what waits has a limit`() throws {
        var book = UploadBook()
        let piece = [UInt8](repeating: 0, count: PictureRules.largest)
        let whole = UploadBook.capacity / PictureRules.largest
        for number in 0...whole {
            try book.begin("\(number)", try Self.name("a"), by: .person("\(number)"), said: [:], now: 0)
            guard number < whole else { break }
            try book.append(piece, at: 0, to: "\(number)", now: 0)
        }
        #expect(throws: ObjectRefusal.tooLarge) { try book.append([1], at: nil, to: "0", now: 0) }
        #expect(throws: ObjectRefusal.busy) { try book.append(piece, at: 0, to: "\(whole)", now: 0) }
        _ = try book.end("0", now: 0)
        try book.append(piece, at: 0, to: "\(whole)", now: 0)
    }
}
