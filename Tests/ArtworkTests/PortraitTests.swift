import ControlAPI
import Foundation
import Logging
import PluginKit
import SyncModel
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import Artwork

/// Pictures of people: made small on their way into the storage, and kept on their way out.
final class PortraitTests: Sendable {
    /// A storage in memory that can be out of order.
    private final class Storage: RemotePictures {
        let kept = Mutex<[String: [UInt8]]>([:])
        let fetches = Mutex(0)
        let trouble = Mutex<RemoteError?>(nil)

        var count: Int { fetches.withLock(\.self) }

        func store(_ jpeg: [UInt8], of person: String) throws -> String {
            if let error = trouble.withLock(\.self) { throw error }
            let number = kept.withLock { kept in
                kept["place:\(kept.count)"] = jpeg
                return kept.count - 1
            }
            return "address:\(number)"
        }

        func remove(of person: String) throws {
            if let error = trouble.withLock(\.self) { throw error }
            kept.withLock { $0.removeAll() }
        }

        func place(of address: String) -> String? {
            if address.hasPrefix("place:") { return address }
            return address.hasPrefix("address:") ? "place:" + address.dropFirst(8) : nil
        }

        func fetch(_ place: String, _ take: ([UInt8]) throws -> Void) throws -> Bool {
            fetches.withLock { $0 += 1 }
            if let error = trouble.withLock(\.self) { throw error }
            guard let bytes = kept.withLock({ $0[place] }) else { return false }
            try take(bytes)
            return true
        }
    }

    private let folder: TemporaryFolder
    private let storage = Storage()

    init() throws { folder = try TemporaryFolder() }

    private func desk(isStoring: Bool = true, program: String? = nil) -> ArtworkDesk {
        ArtworkDesk(
            ArtworkContext(
                version: "1", folder: folder("art"), capacity: 1 << 20,
                program: program ?? BuiltProgram.moviesyncPicture.path.string, patience: .seconds(600),
                catalogs: { [] },
                resolve: { _ throws(PictureError) in throw PictureError("nobody is asked for a name here") },
                pictures: { [storage] in isStoring ? storage : nil }, wall: { 1_800_000_000_000 },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
    }

    private func failure(_ body: () async throws -> some Any) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch {
            return (error as? ControlError).map { "\($0.status) \($0.code)" } ?? "\(error)"
        }
    }

    @Test func `a picture is stored small and without what it says of itself, and shown in any width`() async throws {
        let desk = desk()
        let jpeg = try await Painter().jpeg(of: Drawing.png(width: 900, height: 600), width: 900)
        let address = try await desk.store(Drawing.turned(jpeg, 6), of: "anna").photo
        let kept = try #require(storage.kept.withLock { $0["place:0"] })
        #expect(Drawing.size(ofJPEG: kept) == [341, 512])
        #expect(!String(decoding: kept, as: UTF8.self).contains("Exif"))
        for _ in 0..<2 {
            let shown = try await desk.portrait(address, width: 64)
            #expect(shown.type == "image/jpeg")
            #expect(Drawing.size(ofJPEG: try shown.read(0, shown.size))?.first == 64)
        }
        #expect(storage.count == 1)
        let left = try FileManager.default.subpathsOfDirectory(atPath: folder("art")).filter { $0.hasSuffix(".part") }
        #expect(left.isEmpty)
    }

    @Test func `what is not stored is refused, and says why`() async throws {
        let png = Drawing.png(width: 4, height: 4)
        #expect(await failure { try await desk(isStoring: false).store(png, of: "anna") } == "409 noStorage")
        for body in [[], Array("<svg/>".utf8), Array(png.prefix(20))] {
            #expect(await failure { try await desk().store(body, of: "anna") } == "422 badPicture")
        }
        #expect(await failure { try await desk(program: "/nowhere").store(png, of: "anna") } == "500 noProgram")
        storage.trouble.withLock { $0 = RemoteError(.unreachable, "no connection") }
        #expect(await failure { try await desk().store(png, of: "anna") } == "502 remoteFailed")
        let isEmpty = storage.kept.withLock { $0.isEmpty }
        #expect(isEmpty)
    }

    @Test func `a picture is removed where there is a storage`() async throws {
        let address = try await desk().store(Drawing.png(width: 4, height: 4), of: "anna").photo
        try await desk().removePicture(of: "anna")
        #expect(await failure { try await desk().portrait(address, width: 64) } == "404 noPicture")
        #expect(await failure { try await desk(isStoring: false).removePicture(of: "anna") } == "409 noStorage")
        storage.trouble.withLock { $0 = RemoteError(.denied, "no") }
        #expect(await failure { try await desk().removePicture(of: "anna") } == "502 remoteFailed")
        storage.trouble.withLock { $0 = RemoteError(.sessionEnded, "anna has to sign in again") }
        #expect(await failure { try await desk().removePicture(of: "anna") } == "403 sessionEnded")
        let png = Drawing.png(width: 4, height: 4)
        #expect(await failure { try await desk().store(png, of: "anna") } == "403 sessionEnded")
    }

    @Test func `only the storage of the remote is asked`() async throws {
        let desk = desk()
        for address in ["https://evil.example/a.jpg", "http://127.0.0.1/x", "", "address:7"] {
            #expect(await failure { try await desk.portrait(address, width: 64) } == "404 noPicture")
        }
        #expect(storage.count == 1)
        let without = self.desk(isStoring: false)
        #expect(await failure { try await without.portrait("address:0", width: 64) } == "404 noPicture")
    }

    @Test func `a storage that fails is asked again, and what is no picture is none`() async throws {
        let desk = desk()
        storage.trouble.withLock { $0 = RemoteError(.unavailable, "busy") }
        #expect(await failure { try await desk.portrait("address:0", width: 64) } == "502 unavailable")
        storage.trouble.withLock { $0 = nil }
        storage.kept.withLock { $0["place:0"] = Array("<html>".utf8) }
        #expect(await failure { try await desk.portrait("address:0", width: 64) } == "404 noPicture")
        storage.kept.withLock { $0["place:1"] = Array(repeating: 0xFF, count: 9 << 20) }
        #expect(await failure { try await desk.portrait("address:1", width: 64) } == "404 noPicture")
    }
}
