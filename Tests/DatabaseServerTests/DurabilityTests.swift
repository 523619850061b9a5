import Foundation
import GRDB
import Logging
import Synchronization
import TestSupport
import Testing

@testable import DatabaseServer

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct DurabilityTests {
    private func copy(_ folder: String) throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.copyItem(atPath: folder + "/" + name, toPath: copy.path + "/" + name)
        }
        return copy
    }

    @Test func `what was answered is there after a crash at any moment`() async throws {
        let folder = try TemporaryFolder()
        try await withServer(data: folder.path) { client in
            var expected: [String] = []
            for round in 0..<5 {
                let wide = (0..<100).map { #""m\#($0)/r\#(round)":{"t":"\#(String(repeating: "x", count: 90))"}"# }
                try await Step("PATCH /c.json?print=silent", "{\(wide.joined(separator: ","))}", [:], 204).perform(
                    client)
                try await Step("PUT /c/m3.json", #"{"round":\#(round)}"#).perform(client)
                try await Step("DELETE /c/m\(round + 10).json").perform(client)
                expected.append(try await client.get("/.json"))
                // The files as a kill at this moment leaves them.
                let crashed = try copy(folder.path)
                let found = try await withServer(data: crashed.path) { try await $0.get("/.json") }
                #expect(found == expected[round])
            }
        }
        try await withServer(data: folder.path) { client async throws in
            #expect(try await client.get("/c/m3.json") == #"{"round":4}"#)
        }
    }

    @Test(arguments: [Fsync.always, .interval, .never])
    func `what is answered is on the disk where it should be`(fsync: Fsync) throws {
        let folder = try TemporaryFolder()
        let file = try RowFile(folder: folder.path, fsync: fsync)
        _ = try file.load()
        let level = try file.writer.withLock { writer in
            try writer?.queue.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
        }
        try file.close()
        #expect(level == (fsync == .always ? 2 : 1))
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `the data are private, whoever may look into the folder`() async throws {
        let folder = try TemporaryFolder()
        try await withServer(data: folder.path) { client in
            try await Step("PUT /a.json", "1").perform(client)
            for suffix in ["", "-wal", "-shm"] {
                #expect(try mode(folder("data.sqlite" + suffix)) == 0o600, "\(suffix)")
            }
        }
    }

    @Test(arguments: [(0o644, 0o600), (0o640, 0o640)])
    func `data that everybody may read become private, and a group that was let in stays`(
        _ before: Int, _ after: Int
    ) async throws {
        let folder = try TemporaryFolder()
        let path = folder("data.sqlite")
        try await withServer(data: folder.path) { try await Step("PUT /a.json", "1").perform($0) }
        try FileManager.default.setAttributes([.posixPermissions: before], ofItemAtPath: path)
        try await withServer(data: folder.path) { client in
            try await Step("GET /a.json", nil, [:], 200, "1").perform(client)
            for suffix in ["", "-wal", "-shm"] { #expect(try mode(path + suffix) == after, "\(suffix)") }
        }
    }

    @Test func `keys that begin with a mark that joins stay keys of their own`() async throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "x", count: 9000)
        let stored = "{\"a\":{\"b\":1,\"\u{301}c\":\"\(text)\",\"\u{200d}d\":2}}"
        try await withServer(data: folder.path) { client in
            try await Step("PUT /a.json?print=silent", #"{"b":1}"#, [:], 204).perform(client)
            try await Step("PATCH /.json?print=silent", "{\"a/\u{301}c\":\"\(text)\"}", [:], 204).perform(client)
            try await Step("PUT /a/%E2%80%8Dd.json", "2").perform(client)
            try await Step("GET /.json", nil, [:], 200, stored).perform(client)
        }
        try await withServer(data: folder.path) { client in
            try await Step("GET /.json", nil, [:], 200, stored).perform(client)
            try await Step("GET /a/%CC%81c.json", nil, [:], 200, "\"\(text)\"").perform(client)
        }
    }

    @Test func `concurrent writes are all kept, and counted right`() async throws {
        let folder = try TemporaryFolder()
        try await withServer(data: folder.path) { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        try await Step("PUT /c/\(number)x.json", "\(number)").perform(client)
                        try await Step("PATCH /.json", #"{"count":{".sv":{"increment":1}}}"#).perform(client)
                    }
                }
                try await group.waitForAll()
            }
        }
        try await withServer(data: folder.path) { client async throws in
            #expect(try await client.get("/count.json") == "100")
            #expect(try await client.get("/c/57x.json") == "57")
            #expect(try await client.get("/c.json?shallow=true").split(separator: ",").count == 100)
        }
    }

    @Test func `a second server on the folder or the port is refused`() async throws {
        let folder = try TemporaryFolder()
        try await withServer(data: folder.path) { client in
            #expect(await failure(data: folder.path)?.code == .inUse)
            let other = try TemporaryFolder()
            let port = try #require(client.base.split(separator: ":").last.flatMap { Int($0) })
            let taken = await failure(data: other.path, port: port)
            #expect(taken?.code == .cannotBind)
            #expect(
                taken?.message.hasSuffix("another program listens there; stop it, or choose another address") == true)
        }
        #expect(await failure(data: folder.path) == nil)
    }

    @Test(arguments: [
        ("UPDATE row SET text = CAST('{\"title\":\"Aliem\"}' AS BLOB) WHERE path = 'movies/A'", "movies/A"),
        ("UPDATE row SET path = 'movies/C' WHERE path = 'movies/A'", "movies/C"),
        ("UPDATE row SET checksum = checksum + 1 WHERE path = 'movies/B'", "movies/B"),
        ("INSERT INTO row SELECT id + 10, database, path, text, checksum FROM row WHERE path = 'movies/A'", "movies/A"),
    ]) func `a damaged row is reported with its place`(_ damage: String, _ place: String) async throws {
        let folder = try TemporaryFolder()
        try await withServer(data: folder.path) { client in
            try await Step("PUT /movies/A.json", #"{"title":"Alien"}"#).perform(client)
            try await Step("PUT /movies/B.json", #"{"title":"Brazil"}"#).perform(client)
        }
        let queue = try DatabaseQueue(path: folder.path + "/data.sqlite")
        try await queue.write { try $0.execute(sql: damage) }
        try queue.close()
        let error = try #require(await failure(data: folder.path))
        #expect(error.code == .corrupt)
        #expect(error.message.contains("/\(place)"))
    }

    @Test func `a file that is no database, and one of a newer release, are refused`() async throws {
        let folder = try TemporaryFolder()
        try Data("this is not a database, by any means".utf8).write(to: URL(filePath: folder.path + "/data.sqlite"))
        #expect(await failure(data: folder.path)?.code == .corrupt)

        let newer = try TemporaryFolder()
        #expect(await failure(data: newer.path) == nil)
        let queue = try DatabaseQueue(path: newer.path + "/data.sqlite")
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 – later')") }
        try queue.close()
        #expect(await failure(data: newer.path)?.code == .newerVersion)
    }
}
