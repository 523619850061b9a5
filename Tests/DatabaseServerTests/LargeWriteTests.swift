import FirebaseWire
import Foundation
import GRDB
import JSONText
import SyncModel
import Synchronization
import TestSupport
import Testing

@testable import DatabaseServer

/// Large writes, which are made ready and stored beside the writer.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct LargeWriteTests {
    private static func records(_ range: Range<Int>, _ value: String) -> String {
        let members = range.map { #""r\#($0)":{"n":\#($0),"v":\#(value)}"# }
        return "{\(members.joined(separator: ","))}"
    }

    /// The queue of a folder with some records, and the hook that is called while something is staged.
    private func filled(_ folder: TemporaryFolder) async throws -> (LooseQueue, Hook) {
        let hook = Hook()
        let queue = try await LooseQueue(folder.path) { await hook.call() }
        try await queue.put("/l", Self.records(0..<1000, "0"))
        try await queue.put("/other", "1")
        return (queue, hook)
    }

    @Test(arguments: [Write.Kind.patch, .put])
    func `nobody sees a large write before it is finished, and a crash leaves all or nothing of it`(
        _ kind: Write.Kind
    ) async throws {
        let folder = try TemporaryFolder()
        let (queue, hook) = try await filled(folder)
        defer { hook.set { _ in } }
        hook.set { number in
            let before = queue.text
            #expect(!before.contains(#""v":1"#))
            guard number.isMultiple(of: 3) else { return }
            try await queue.put("/others/o\(number)", "\(number)")
            let now = queue.text
            try await Self.afterCrash(folder) { crashed in
                #expect(crashed.text == now)
                try await crashed.put("/l/new", "7")
                try await crashed.swept()
                #expect(try crashed.value("/l/r1500/v") == nil)
                #expect(try crashed.value("/l/new") == .integer(7))
            }
        }
        let outcome = try await queue.large(kind, "/l", Self.records(500..<2000, "1"))
        guard case .stored = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(try queue.value("/l/r10/v") == (kind == .patch ? .integer(0) : nil))
        #expect(try queue.value("/l/r700/v") == .integer(1))
        #expect(try queue.value("/others/o0") == .integer(0))
        let finished = queue.text
        try await Self.afterCrash(folder) { #expect($0.text == finished) }
        try await queue.swept()
        try await expectSameRows(folder, queue)
        try await queue.close()
    }

    /// Lends a queue of the files as a kill at this moment leaves them.
    private static func afterCrash(
        _ folder: TemporaryFolder, _ body: (LooseQueue) async throws -> Void
    ) async throws {
        let copy = try LooseQueue.copy(folder.path)
        let crashed = try await LooseQueue(copy.path)
        try await body(crashed)
        try await crashed.close()
    }

    /// A start finds what is there, and no row besides.
    private func expectSameRows(_ folder: TemporaryFolder, _ queue: LooseQueue) async throws {
        let (text, count) = (queue.text, try queue.rowCount)
        try await Self.afterCrash(folder) { crashed in
            #expect(crashed.text == text)
            let rows = try crashed.rowCount
            #expect(rows == count)
        }
    }

    @Test(arguments: [Write.Kind.patch, .put])
    func `what others write meanwhile to the same places comes first`(_ kind: Write.Kind) async throws {
        let folder = try TemporaryFolder()
        let (queue, hook) = try await filled(folder)
        hook.set { number in
            try await queue.put("/l/r\(600 + number)", #"{"n":0,"v":9}"#)
            try await queue.put("/l/r\(700 + number)/w", "9")
            try await queue.put("/l/r\(20 + number)/v", "9")
            try await queue.put("/l/s\(number)", "9")
        }
        _ = try await queue.large(kind, "/l", Self.records(500..<2000, "1"))
        #expect(try queue.value("/l/r600/v") == .integer(1))
        #expect(try queue.value("/l/r700/w") == nil)
        #expect(try queue.value("/l/r20/v") == (kind == .patch ? .integer(9) : nil))
        #expect(try queue.value("/l/s0") == (kind == .patch ? .integer(9) : nil))
        try await queue.put("/l/r600/v", "2")
        #expect(try queue.value("/l/r600/v") == .integer(2))
        let text = queue.text
        try await Self.afterCrash(folder) { #expect($0.text == text) }
        try await queue.swept()
        try await expectSameRows(folder, queue)
        try await queue.close()
    }

    @Test func `whoever writes above it all the time does not keep it from being written`() async throws {
        let folder = try TemporaryFolder()
        let (queue, hook) = try await filled(folder)
        hook.set { try await queue.put("/l", #"{"whole":\#($0)}"#) }
        _ = try await queue.large(.patch, "/l", Self.records(0..<700, "1"))
        #expect(try queue.value("/l/r699/v") == .integer(1))
        #expect(try queue.value("/l/whole") != nil)
        try await queue.swept()
        try await expectSameRows(folder, queue)
        try await queue.close()
    }

    @Test func `the times of a large write are in the order of all writes`() async throws {
        let folder = try TemporaryFolder()
        let (queue, hook) = try await filled(folder)
        let now = #"{".sv":"timestamp"}"#
        let times = Mutex<[Int64]>([])
        let stamp = { @Sendable (path: String) in
            try await queue.put(path, now)
            let time = try #require(try queue.value(path)?.whole)
            times.withLock { $0.append(time) }
        }
        hook.set { try await stamp("/times/t\($0)") }
        async let writing = queue.large(.patch, "/l", Self.records(500..<2000, now))
        // Others go on until it is there, also while it waits for its time.
        while try queue.value("/l/r1999/v") == nil { try await stamp("/times/again") }
        _ = try await writing
        guard case .integer(let time)? = try queue.value("/l/r1999/v") else { return #expect(Bool(false)) }
        let earlier = times.withLock(\.self).dropLast()
        #expect(try queue.value("/l/r500/v") == .integer(time))
        #expect(!earlier.isEmpty)
        #expect(earlier.allSatisfy { $0 <= time })
        try await stamp("/times/last")
        #expect(times.withLock { $0.last ?? 0 } >= time)
        try await queue.close()
    }

    @Test func `increments count what was written meanwhile`() async throws {
        let folder = try TemporaryFolder()
        let (queue, hook) = try await filled(folder)
        hook.set { if $0 == 0 { try await queue.put("/l/r500/v", "5") } }
        _ = try await queue.large(.patch, "/l", Self.records(500..<1500, #"{".sv":{"increment":1}}"#))
        #expect(try queue.value("/l/r500/v") == .integer(6))
        #expect(try queue.value("/l/r501/v") == .integer(1))
        #expect(try queue.value("/l/r1400/v") == .integer(1))
        try await queue.close()
    }

    @Test func `a disk that is full in the middle takes nothing from anybody`() async throws {
        let folder = try TemporaryFolder()
        let (queue, hook) = try await filled(folder)
        let before = queue.text
        hook.set { if $0 == 1 { try queue.setFull(true) } }
        await #expect(throws: StorageError.self) {
            _ = try await queue.large(.patch, "/l", Self.records(500..<6000, "1"))
        }
        #expect(queue.text == before)
        try queue.setFull(false)
        try await queue.put("/after", "1")
        let text = queue.text
        try await Self.afterCrash(folder) { #expect($0.text == text) }
        _ = try await queue.large(.patch, "/l", Self.records(500..<6000, "2"))
        #expect(try queue.value("/l/r5999/v") == .integer(2))
        try await queue.close()
        let again = try await LooseQueue(folder.path)
        try await again.swept()
        #expect(try again.value("/l/r5999/v") == .integer(2))
        try await expectSameRows(folder, again)
        try await again.close()
    }

    @Test func `a file of an older release is opened`() async throws {
        let folder = try TemporaryFolder()
        let (queue, _) = try await filled(folder)
        let text = queue.text
        try await queue.close()
        let file = try DatabaseQueue(path: folder.path + "/data.sqlite")
        try await file.write {
            try $0.execute(
                sql: """
                    DROP TABLE draft; DROP TABLE replaced;
                    DELETE FROM grdb_migrations WHERE identifier = '4 – drafts'
                    """)
        }
        try file.close()
        let again = try await LooseQueue(folder.path)
        #expect(again.text == text)
        _ = try await again.large(.put, "/l", Self.records(0..<1000, "3"))
        #expect(try again.value("/l/r999/v") == .integer(3))
        try await again.close()
    }

    // MARK: With a server

    private static let filler = String(repeating: "x", count: 500)

    @Test func `listeners hear of a large write in its order, and of a large removal`() async throws {
        let hook = Hook()
        try await withServer {
            $0.whileStaging = { await hook.call() }
        } _: { client in
            let body = Self.records(0..<3000, #""\#(Self.filler)""#)
            try await client.listen("/l.json?shallow=true") { frames in
                _ = try await frames.next()
                try await client.listen("/.json?orderBy=%22$key%22&startAt=%22m%22") { others in
                    _ = try await others.next()
                    hook.set { if $0 == 0 { try await Step("PUT /l/before.json", "1").perform(client) } }
                    try await Step("PATCH /l.json?print=silent", body, [:], 204).perform(client)
                    try await Step("PUT /l/r5.json", "null").perform(client)
                    try await Step("DELETE /l.json").perform(client)
                    try await Step("PUT /m.json", "1").perform(client)
                    #expect(try await others.next() == #"put {"path":"/m","data":1}"#)
                }
                #expect(try await frames.next() == #"put {"path":"/","data":{"before":true}}"#)
                let large = try await frames.next() ?? ""
                #expect(large.hasPrefix(#"patch {"path":"/","data":{"#) && large.contains(#""r1999":true"#))
                #expect(try await frames.next() == #"put {"path":"/r5","data":null}"#)
                #expect(try await frames.next() == #"put {"path":"/","data":null}"#)
            }
            #expect(try await client.get("/.json") == #"{"m":1}"#)
        }
    }

    @Test func `a large write obeys the rules and the condition of the moment it is finished`() async throws {
        let hook = Hook()
        let rules = """
            {"rules":{".read":true,"l":{"$id":{".write":"root.child('gate').val() == 'open'"}},"gate":{".write":true}}}
            """
        let body = Self.records(0..<3000, #""\#(Self.filler)""#)
        try await withServer {
            $0.whileStaging = { await hook.call() }
        } _: { client in
            try await Step("PUT /.settings/rules.json", rules).perform(client)
            try await Step("PUT /gate.json", #""open""#).perform(client)
            hook.set { if $0 == 1 { try await Step("PUT /gate.json", #""shut""#).perform(client) } }
            try await Step("PATCH /l.json?print=silent", body, [:], 401).perform(client)
            try await Step("GET /l.json", nil, [:], 200, "null").perform(client)
            hook.set { _ in }
            let owner = ["Authorization": "Bearer owner", "if-match": "null_etag"]
            try await Step("PUT /l.json", body, owner).perform(client)
            try await Step("PUT /l.json", body, owner, 412).perform(client)
            let etag = try await client.send("GET", "/l.json", nil, ["X-Firebase-ETag": "true"]).headers["etag"]
            let now = ["Authorization": "Bearer owner", "if-match": try #require(etag)]
            let other = Once()
            hook.set { _ in
                guard other.isFirst() else { return }
                try await Step("PUT /l/r1.json", "1", ["Authorization": "Bearer owner"]).perform(client)
            }
            let changed = Self.records(0..<3000, #""y\#(Self.filler)""#)
            try await Step("PUT /l.json", changed, now, 412).perform(client)
            try await Step("GET /l/r1.json", nil, [:], 200, "1").perform(client)
        }
    }
}

/// True the first time.
private final class Once: Sendable {
    private let wasAsked = Atomic<Bool>(false)

    func isFirst() -> Bool { !wasAsked.exchange(true, ordering: .relaxed) }
}
