import Foundation
import TestSupport
import Testing

@testable import DatabaseServer

/// What a server does with files that are not what it left behind.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct DamageTests {
    /// The files of a server as a kill leaves them, with everything it has acknowledged in the log.
    private func crashed(fsync: Fsync = .always) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let copy = try TemporaryFolder()
        try await withServer(data: folder.path) {
            $0.fsync = fsync
        } _: { client in
            for number in 0..<20 { try await Step("PUT /c/r\(number).json", "\(number)").perform(client) }
            for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: copy.path + "/" + name)
            }
        }
        return copy
    }

    @Test(arguments: Fsync.allCases) func `a kill takes nothing, whatever the fsync policy`(_ fsync: Fsync) async throws
    {
        let folder = try await crashed(fsync: fsync)
        let kept = try await withServer(data: folder.path) { try await $0.get("/c.json?shallow=true") }
        #expect(kept.split(separator: ",").count == 20)
    }

    @Test(arguments: [0.0, 0.1, 0.5, 0.9, 0.999]) func `a changed byte in the log is reported with its place`(
        _ place: Double
    ) async throws {
        let folder = try await crashed()
        let path = folder.path + "/data.sqlite-wal"
        var log = try Data(contentsOf: URL(filePath: path))
        log[Int(Double(log.count) * place)] ^= 0x10
        try log.write(to: URL(filePath: path))
        let error = try #require(await failure(data: folder.path))
        #expect(error.code == .corrupt)
        #expect(error.message.contains("data.sqlite-wal is damaged at byte"))
        #expect(try Data(contentsOf: URL(filePath: path)) == log)
    }

    @Test(arguments: [["data.sqlite-wal"], ["data.sqlite"], ["data.sqlite", "data.sqlite-wal"]])
    func `a file that was taken away is missed`(_ names: [String]) async throws {
        let folder = try await crashed()
        for name in names { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }
        let error = try #require(await failure(data: folder.path))
        #expect(error.code == .corrupt)
        #expect(error.message.contains("data.sqlite.commits"))
    }

    @Test(arguments: Fsync.allCases)
    func `a power cut takes what need not be on the disk yet, and what is there is missed`(_ fsync: Fsync) throws {
        let folder = try TemporaryFolder()
        let file = try RowFile(folder: folder.path, fsync: fsync)
        _ = try file.load()
        try file.store(writeSizeLimit: "tiny", of: "a")
        try file.synchronize()
        let cut = try LooseQueue.copy(folder.path)
        try file.store(writeSizeLimit: "tiny", of: "b")
        // The note may be there before the log is.
        let note = "/data.sqlite.commits"
        try Data(contentsOf: URL(filePath: folder.path + note)).write(to: URL(filePath: cut.path + note))
        try file.close()
        if fsync == .always {
            #expect(throws: ServerError.self) { try RowFile(folder: cut.path, fsync: fsync) }
        } else {
            let found = try RowFile(folder: cut.path, fsync: fsync)
            #expect(try found.writeSizeLimits() == ["a": "tiny"])
            try found.close()
        }
        try FileManager.default.removeItem(atPath: cut.path + "/data.sqlite-wal")
        #expect(throws: ServerError.self) { try RowFile(folder: cut.path, fsync: fsync) }
    }

    @Test(arguments: Fsync.allCases) func `what a hub that was stopped has left is missed`(_ fsync: Fsync) async throws
    {
        let folder = try TemporaryFolder()
        try await withServer(data: folder.path) {
            $0.fsync = fsync
        } _: { client in
            try await Step("PUT /c.json", "1").perform(client)
        }
        try FileManager.default.removeItem(atPath: folder.path + "/data.sqlite")
        #expect(await failure(data: folder.path)?.code == .corrupt)
    }

    @Test func `whoever takes everything away starts anew`() async throws {
        let folder = try await crashed()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        }
        #expect(await failure(data: folder.path) == nil)
    }

    @Test func `a page that was overwritten is reported`() async throws {
        let folder = try TemporaryFolder()
        try await withServer(data: folder.path) { client in
            let members = (0..<2000).map { #""r\#($0)":{"n":\#($0)}"# }
            try await Step("PATCH /c.json?print=silent", "{\(members.joined(separator: ","))}", [:], 204).perform(
                client)
        }
        let path = folder.path + "/data.sqlite"
        var file = try Data(contentsOf: URL(filePath: path))
        let middle = file.count / 2 / 4096 * 4096
        file.replaceSubrange(middle..<(middle + 512), with: Data(repeating: 0xA5, count: 512))
        try file.write(to: URL(filePath: path))
        #expect(await failure(data: folder.path)?.code == .corrupt)
    }
}
