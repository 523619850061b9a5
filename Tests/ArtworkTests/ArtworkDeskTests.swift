import Artwork
import Catalogs
import ControlAPI
import Foundation
import Logging
import NIOCore
import PluginKit
import Synchronization
import SystemPackage
import TestSupport
import Testing

/// The way of a picture from its source through the cache, with real files, sockets and processes.
@Suite(.inTurn) final class ArtworkDeskTests: Sendable {
    private static let omdb = "https://m.media-amazon.com/images/M/x.jpg"
    private let folder: TemporaryFolder
    private let time = Mutex<UInt64>(1_800_000_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func desk(at url: String, capacity: Int = 1 << 20, program: String? = nil) -> ArtworkDesk {
        ArtworkDesk(
            ArtworkContext(
                version: "1", folder: folder("art"), capacity: capacity,
                program: program ?? BuiltProgram.moviesyncPicture.path.string, patience: .seconds(600),
                catalogs: { BuiltInCatalogs.all.map(\.description) },
                resolve: { _ throws(PictureError) in throw PictureError("nobody is asked for a name here") },
                wall: { [self] in time.withLock { $0 } },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }),
            places: ["omdb": url, "tmdb": url])
    }

    private func failure(_ desk: ArtworkDesk, _ key: String = omdb) async -> String? {
        do {
            _ = try await desk.picture(key, width: 100)
            return nil
        } catch {
            return (error as? ControlError).map { "\($0.status) \($0.code)" } ?? "\(error)"
        }
    }

    private func size(_ reply: ArtworkReply) throws -> [Int]? {
        Drawing.size(ofJPEG: try reply.read(0, reply.size))
    }

    @Test func `a picture is fetched once, scaled, and given out from the cache after that`() async throws {
        let png = Drawing.png(width: 400, height: 200)
        try await withServer { _, line in
            try await line.reply(picture: png)
        } _: { server in
            let desk = desk(at: server.url)
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { try self.size(try await desk.picture(Self.omdb, width: 100)) } }
                for try await size in group { #expect(size == [100, 50]) }
            }
            let again = try await self.desk(at: server.url).picture(Self.omdb, width: 100)
            #expect(again.type == "image/jpeg" && again.tag.hasSuffix("-100\""))
            #expect(server.requests.map(\.target) == ["/images/M/x.jpg"])
            #expect(server.requests.first?.header("Accept") == ["image/jpeg, image/png"])
        }
    }

    @Test func `what a source has in the wanted size is passed on as it is`() async throws {
        let png = Drawing.png(width: 342, height: 100)
        try await withServer { _, line in
            try await line.reply(picture: png)
        } _: { server in
            let reply = try await desk(at: server.url, program: "/nowhere").picture("tmdb:/a.png", width: 200)
            #expect(reply.type == "image/png" && reply.size == png.count)
            #expect(try reply.read(0, reply.size) == png)
            #expect(server.requests.map(\.target) == ["/t/p/w342/a.png"])
        }
    }

    @Test func `that there is none is remembered for a day`() async throws {
        try await withServer { _, line in
            try await line.reply(404, "nothing")
        } _: { server in
            let desk = desk(at: server.url)
            for _ in 0..<3 { #expect(await failure(desk) == "404 noPicture") }
            #expect(server.requests.count == 1)
            time.withLock { $0 += 86_400_001 }
            #expect(await failure(desk) == "404 noPicture")
            #expect(server.requests.count == 2)
        }
    }

    @Test(arguments: ["<html>sorry</html>", ""])
    func `what is no picture is none, whatever its header says`(body: String) async throws {
        try await withServer { _, line in
            try await line.reply(200, ["Content-Type": "image/jpeg"], body)
        } _: { server in
            #expect(await failure(desk(at: server.url)) == "404 noPicture")
        }
    }

    @Test(arguments: [500, 503, 301])
    func `a source that fails is asked again`(status: Int) async throws {
        try await withServer { _, line in
            try await line.reply(status, ["Location": "http://127.0.0.1/"], "")
        } _: { server in
            let desk = desk(at: server.url)
            for _ in 0..<2 { #expect(await failure(desk) == "502 unavailable") }
            #expect(server.requests.count == 2)
        }
    }

    @Test func `a body without end is cut off`() async throws {
        try await withServer { _, line in
            try await line.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n")
            while true { try await line.send(String(repeating: "x", count: 1 << 16)) }
        } _: { server in
            #expect(await failure(desk(at: server.url)) == "404 noPicture")
        }
    }

    @Test(.enabled(if: OpenSSL.isThere, "openssl makes the certificate"))
    func `a certificate that is not accepted is told as that, in no library's words`() async throws {
        try await withServer(tls: try TestCertificate(in: folder.path).context()) { _, line in
            try await line.reply(200, [:], "")
        } _: { server in
            let error = await #expect(throws: ControlError.self) {
                try await desk(at: server.url).picture(Self.omdb, width: 100)
            }
            #expect(error?.status == 502 && error?.message.contains("its certificate is not accepted") == true)
            #expect(error?.message.contains("SSL") == false)
        }
    }

    @Test func `a host that is not public is not asked`() async {
        let desk = ArtworkDesk(
            ArtworkContext(
                version: "1", folder: folder("art"), capacity: 1, program: "/nowhere",
                catalogs: { BuiltInCatalogs.all.map(\.description) },
                resolve: { host throws(PictureError) in throw PictureError("\(host) is 127.0.0.1") },
                wall: { 0 }, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        #expect(await failure(desk) == "502 unavailable")
    }

    @Test func `a damaged file in the cache is fetched anew, and so is one that is gone`() async throws {
        let png = Drawing.png(width: 40, height: 20)
        try await withServer { _, line in
            try await line.reply(picture: png)
        } _: { server in
            let desk = desk(at: server.url)
            let reply = try await desk.picture(Self.omdb, width: 20)
            let name = reply.tag.filter { $0 != "\"" }
            let path = folder("art") + "/" + name.prefix(2) + "/" + name
            try Data("rubbish".utf8).write(to: URL(filePath: path))
            #expect(try size(try await desk.picture(Self.omdb, width: 20)) == [20, 10])
            try FileManager.default.removeItem(atPath: path)
            #expect(try size(try await desk.picture(Self.omdb, width: 20)) == [20, 10])
            #expect(server.requests.count == 3)
        }
    }

    @Test func `the cache keeps to its size`() async throws {
        let png = Drawing.png(width: 400, height: 400)
        try await withServer { _, line in
            try await line.reply(picture: png)
        } _: { server in
            let desk = desk(at: server.url, capacity: 3 * png.count)
            for number in 0..<6 { _ = try await desk.picture("tmdb:/\(number).png", width: 100) }
            let files = FileManager.default.enumerator(atPath: folder("art"))?.compactMap { $0 as? String } ?? []
            #expect(files.filter { $0.hasSuffix("-full") }.count <= 3)
        }
    }
}

extension ScriptedServer.Line {
    fileprivate func reply(picture: [UInt8]) async throws {
        try await send("HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\n\r\n")
        try await outbound.write(ByteBuffer(bytes: picture))
    }

    fileprivate func reply(_ status: Int, _ body: String) async throws { try await reply(status, [:], body) }
}
