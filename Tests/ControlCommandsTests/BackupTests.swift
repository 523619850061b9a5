import ControlTestSupport
import FoundationEssentials
import TestSupport
import Testing

/// The command `backup`, and what stands where it is to be written.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct BackupTests {
    @Test func `a backup arrives whole, and takes the place of an older one`() async throws {
        let folder = try TemporaryFolder()
        try await withServedSocket(FakeControlService.full()) { socket in
            for _ in 1...2 {
                let run = try await moviesync(["backup", folder("b.sqlite")], socket: socket)
                #expect(run.exitCode == 0 && run.output.contains("200.0 kB"), "\(run.output)\(run.complaint)")
            }
            let bytes = try Data(contentsOf: URL(filePath: folder("b.sqlite")))
            #expect(bytes.count == 200_000 && bytes[199_999] == UInt8(truncatingIfNeeded: 199_999))
        }
    }

    @Test func `a backup takes the place of no file that is none, nor of what a daemon or a hub keeps`() async throws {
        let folder = try TemporaryFolder()
        try await withServedSocket(FakeControlService.full()) { socket in
            let files = [
                ("token-keys.json", "{}"), ("journal.jsonl.1", "{\n"), ("hub/data.sqlite", "SQLite format 3\0data"),
                ("state/sessions.json", nil),
            ]
            for (name, held) in files {
                let place = folder(name)
                let parent = String(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])
                try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
                try Data().write(to: URL(filePath: parent + (name.hasPrefix("state") ? "/state.lock" : "/lock")))
                if let held { try Data(held.utf8).write(to: URL(filePath: place)) }
                let run = try await moviesync(["backup", place], socket: socket)
                #expect(run.exitCode == 64 && run.complaint.contains("name another one"), "\(run.complaint)")
                #expect((try? Data(contentsOf: URL(filePath: place))) == held.map { Data($0.utf8) })
            }
        }
    }
}
