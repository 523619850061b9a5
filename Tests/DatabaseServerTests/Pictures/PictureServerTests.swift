import Foundation
import JSONText
import NIOHTTP1
import SyncModel
import TestSupport
import Testing

@testable import DatabaseServer

/// The storage of pictures, from outside: who may store and see what, and what becomes of it.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct PictureServerTests {
    @Test func `a person stores a picture, and whoever has its address sees it`() async throws {
        try await withPictures { client async throws in
            let anna = try await client.person("anna")
            let stored = try await client.call(
                "POST", "o?name=profiles/\(anna.uid).jpg", PictureClient.jpeg, token: anna.token)
            #expect(stored.status == 200)
            #expect(stored.members["contentType"] == "image/jpeg" && stored.members["size"] == "304")
            #expect(stored.members["bucket"] == "demo.appspot.com")
            let token = try #require(stored.members["downloadTokens"]?.text)
            let place = "o/profiles%2F\(anna.uid).jpg"
            let seen = try await client.call("GET", "\(place)?alt=media&token=\(token)")
            #expect(seen.status == 200 && seen.bytes == PictureClient.jpeg)
            #expect(seen.headers.first(name: "content-type") == "image/jpeg")
            #expect(seen.headers.first(name: "x-content-type-options") == "nosniff")
            let bob = try await client.person("bob")
            #expect(try await client.call("GET", "\(place)?alt=media", token: bob.token).bytes == PictureClient.jpeg)
            let metadata = try await client.call("GET", place, token: bob.token)
            #expect(metadata.members == stored.members)
            for refused in ["\(place)?alt=media", "\(place)?alt=media&token=guess", place] {
                let answer = try await client.call("GET", refused)
                #expect(answer.status == 403 && answer.refusal == "Permission denied.", "\(refused)")
            }
            let again = try await client.call("POST", place, PictureClient.png, token: anna.token)
            #expect(again.members["contentType"] == "image/png")
            #expect(try await client.call("GET", "\(place)?alt=media&token=\(token)").status == 403)
        }
    }

    @Test func `nobody writes what is another's`() async throws {
        try await withPictures { client async throws in
            let (anna, bob) = (try await client.person("anna"), try await client.person("bob"))
            let own = "profiles/\(anna.uid).jpg"
            let names = [
                "profiles/\(bob.uid).jpg", "profiles/\(anna.uid)", "profiles/\(anna.uid).gif", "\(anna.uid).jpg",
                "profiles/x/\(anna.uid).jpg", "profiles/.jpg", "../profiles/\(anna.uid).jpg",
            ]
            for name in names {
                let answer = try await client.call("POST", "o?name=\(name)", PictureClient.jpeg, token: anna.token)
                #expect(answer.status == 403, "\(name)")
            }
            #expect(try await client.call("POST", "o?name=\(own)", PictureClient.jpeg).status == 403)
            #expect(try await client.call("POST", "o?name=\(own)", PictureClient.jpeg, token: "x").status == 401)
            #expect(try await client.call("POST", "o?name=\(own)", PictureClient.jpeg, token: anna.token).status == 200)
            #expect(try await client.call("DELETE", "o?name=\(own)", token: bob.token).status == 403)
            #expect(try await client.call("PATCH", "o/\(own.escaped)", [0x7B, 0x7D], token: bob.token).status == 403)
            #expect(try await client.call("DELETE", "o?name=\(own)", token: anna.token).status == 204)
            #expect(try await client.call("DELETE", "o?name=\(own)", token: anna.token).status == 404)
            #expect(try await client.administer("POST", "o?name=\(own)", PictureClient.png).status == 200)
            #expect(try await client.administer("DELETE", "o/\(own.escaped)").status == 204)
            #expect(try await client.call("GET", "o/\(own.escaped)", token: bob.token).status == 404)
        }
    }

    @Test func `what is no picture, or too large, is refused`() async throws {
        try await withPictures { client async throws in
            let anna = try await client.person("anna")
            let place = "o?name=profiles/\(anna.uid).png"
            for body in [[], Array("<svg onload=alert(1)>".utf8), Array("GIF89a".utf8)] {
                let answer = try await client.call("POST", place, body, token: anna.token)
                #expect(answer.status == 400 && answer.refusal?.contains("JPEG or a PNG") == true)
            }
            let limit = PictureRules.largest
            let large = PictureClient.jpeg + Array(repeating: 0, count: limit - PictureClient.jpeg.count)
            #expect(try await client.call("POST", place, large, token: anna.token).status == 200)
            // It is told before it sends any of it, so that this does not depend on who is quicker.
            let head =
                "POST /v0/b/demo/\(place) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Firebase \(anna.token.text ?? "")\r\n"
            let answer = try await exchange(
                "\(head)Content-Length: \(limit + 1)\r\n\r\n", with: client.accounts.http
            ) { $0.contains("\r\n\r\n") }
            #expect(answer.hasPrefix("HTTP/1.1 413"))
            #expect(try await client.call("POST", "o", PictureClient.jpeg, token: anna.token).status == 400)
            #expect(try await client.call("PUT", place, PictureClient.jpeg, token: anna.token).status == 405)
            #expect(try await client.call("GET", "p/q", token: anna.token).status == 404)
        }
    }

    @Test func `a large body of a stranger is not read`() async throws {
        try await withPictures { client async throws in
            let fields = "Host: localhost\r\nContent-Length: 5000000\r\n\r\n"
            let head = "POST /v0/b/demo/o?name=profiles/a.jpg HTTP/1.1\r\n" + fields
            let answer = try await exchange(head, with: client.accounts.http) { $0.contains("Permission denied.") }
            #expect(answer.hasPrefix("HTTP/1.1 403"))
            #expect(answer.lowercased().contains("connection: close"))
        }
    }

    @Test func `an upload in two parts says something of the picture, and a patch changes it`() async throws {
        try await withPictures { client async throws in
            let anna = try await client.person("anna")
            let json = #"{"contentType":"text/html","cacheControl":"no-store","metadata":{"by":"hand"}}"#
            let body = TwoPartsTests.body(json: json, PictureClient.png, boundary: "00x00")
            let stored = try await client.call(
                "POST", "o?name=profiles%2F\(anna.uid).png", body, token: anna.token,
                ["Content-Type": "multipart/related; boundary=00x00", "X-Goog-Upload-Protocol": "multipart"])
            #expect(stored.status == 200)
            #expect(stored.members["contentType"] == "image/png" && stored.members["cacheControl"] == "no-store")
            #expect(stored.members["metadata"] == ["by": "hand"])
            let place = "o/profiles%2F\(anna.uid).png"
            let patch = Array(#"{"cacheControl":null,"contentLanguage":"de","metadata":{"by":null,"at":"home"}}"#.utf8)
            let changed = try await client.call("PATCH", place, patch, token: anna.token)
            #expect(changed.members["metadata"] == ["at": "home"] && changed.members["contentLanguage"] == "de")
            #expect(changed.members["cacheControl"] == nil && changed.members["metageneration"] == "2")
            #expect(changed.members["generation"] == stored.members["generation"])
            #expect(try await client.call("GET", place, token: anna.token).members == changed.members)
            for wrong in ["[]", #"{"metadata":1}"#, #"{"metadata":{"a":1}}"#, #"{"cacheControl":1}"#] {
                #expect(try await client.call("PATCH", place, Array(wrong.utf8), token: anna.token).status == 400)
            }
            let long = #"{"metadata":{"a":"\#(String(repeating: "x", count: 9000))"}}"#
            #expect(try await client.call("PATCH", place, Array(long.utf8), token: anna.token).status == 400)
        }
    }

    @Test func `names are listed page by page`() async throws {
        try await withPictures { client async throws in
            for name in ["a", "b", "c"] {
                _ = try await client.administer("POST", "o?name=profiles/\(name).jpg", PictureClient.jpeg)
            }
            let names = { (reply: PictureClient.Reply) in
                guard case .array(let items)? = reply.members["items"] else { return [String]() }
                return items.compactMap { $0.members?["name"]?.text }
            }
            let first = try await client.administer("GET", "o?prefix=profiles%2F&delimiter=%2F&maxResults=2")
            #expect(names(first) == ["profiles/a.jpg", "profiles/b.jpg"])
            let next = try #require(first.members["nextPageToken"]?.text)
            let second = try await client.administer("GET", "o?prefix=profiles/&maxResults=2&pageToken=\(next.escaped)")
            #expect(names(second) == ["profiles/c.jpg"] && second.members["nextPageToken"] == nil)
            let top = try await client.administer("GET", "o?delimiter=/")
            #expect(names(top) == [] && top.members["prefixes"] == ["profiles/"])
            #expect(names(try await client.administer("GET", "o")).count == 3)
            #expect(names(try await client.administer("GET", "o?prefix=others/")) == [])
            #expect(try await client.administer("GET", "o?prefix=prof").status == 400)
            #expect(try await client.administer("GET", "o?maxResults=0").status == 400)
            #expect(try await client.call("GET", "o").status == 403)
        }
    }

    @Test func `pictures outlast a restart and end with the account`() async throws {
        let folder = try TemporaryFolder()
        let anna = try await withPictures(data: folder.path) { client async throws in
            let anna = try await client.person("anna")
            for type in ["jpg", "png"] {
                let name = "profiles/\(anna.uid).\(type)"
                _ = try await client.call("POST", "o?name=\(name)", PictureClient.jpeg, token: anna.token)
            }
            return anna
        }
        try await withPictures(data: folder.path) { client async throws in
            let place = "o/profiles%2F\(anna.uid).jpg"
            #expect(try await client.call("GET", place, token: anna.token).status == 200)
            _ = try await client.accounts.call("delete", ["localId": .string(anna.uid)], AccountClient.admin)
            #expect(try await client.call("GET", place, token: anna.token).status == 401)
            for type in ["jpg", "png"] {
                #expect(try await client.administer("GET", "o/profiles%2F\(anna.uid).\(type)").status == 404)
            }
        }
    }

    @Test func `pages of others get no right from an emulator, and see answers elsewhere`() async throws {
        let page = ["Origin": "https://films.example.org"]
        try await withPictures(emulator: true) { client async throws in
            let owner = ["Authorization": "Bearer owner"]
            let place = "o?name=profiles/a.jpg"
            #expect(try await client.call("POST", place, PictureClient.jpeg, owner).status == 200)
            let foreign = try await client.call("POST", place, PictureClient.jpeg, owner.merging(page) { $1 })
            #expect(foreign.status == 403)
        }
        try await withPictures { client async throws in
            let anna = try await client.person("anna")
            let place = "o?name=profiles/\(anna.uid).jpg"
            let asked = try await client.call(
                "OPTIONS", place, nil, page.merging(["Access-Control-Request-Headers": "authorization"]) { $1 })
            #expect(asked.status == 204)
            #expect(asked.headers.first(name: "access-control-allow-headers") == "authorization")
            let stored = try await client.call("POST", place, PictureClient.jpeg, token: anna.token, page)
            #expect(stored.headers.first(name: "access-control-allow-origin") == "https://films.example.org")
            let owner = try await client.call("POST", place, PictureClient.jpeg, ["Authorization": "Bearer owner"])
            #expect(owner.status == 401)
        }
    }

    @Test func `without accounts there is no storage`() async throws {
        try await withServer(options: { $0.isEmulator = false }) { client async throws in
            let answer = try await client.send("GET", "/v0/b/demo/o")
            #expect(answer.status == 404 && answer.body.contains("append .json"))
        }
    }
}

extension String {
    var escaped: String { PercentEncoding.encoded(self) }
}
