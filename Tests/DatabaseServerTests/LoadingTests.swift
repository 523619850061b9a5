import Foundation
import Logging
import TestSupport
import Testing

@testable import DatabaseServer

/// What a server does while its data are still on their way from the disk.
@Suite(.inTurn, .timeLimit(.minutes(1)))
struct LoadingTests {
    /// The files of a server that has stored three records.
    private func filled() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try await withServer(data: folder.path) { client in
            try await Step("PUT /c.json", #"{"a":1,"b":{"n":2},"c":3}"#).perform(client)
        }
        return folder
    }

    private func copy(_ folder: TemporaryFolder) throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.copyItem(atPath: folder.path + "/" + name, toPath: copy.path + "/" + name)
        }
        return copy
    }

    /// Runs a server that does not load before so many requests wait.
    private func withLoadingServer<Result: Sendable>(
        _ folder: TemporaryFolder, loadingAfter requests: Int,
        then hold: @escaping @Sendable () async throws -> Void = {},
        _ body: (TestClient) async throws -> Result
    ) async throws -> Result {
        let (logger, events) = NotedEvents.make()
        return try await withServer(
            data: folder.path,
            options: {
                $0.beforeLoading = {
                    var waiting = 0
                    for await event in events where event["event"] == "request.waiting" {
                        waiting += 1
                        if waiting == requests { break }
                    }
                    try await hold()
                }
            },
            logger: logger, body)
    }

    @Test(arguments: [
        Step("GET /c/b.json", nil, [:], 200, #"{"n":2}"#),
        Step("GET /c.json?shallow=true", nil, [:], 200, #"{"a":true,"b":true,"c":true}"#),
        Step("GET /c.json?orderBy=%22$key%22&limitToLast=1", nil, [:], 200, #"{"c":3}"#),
        Step("PATCH /c.json", #"{"a":{".sv":{"increment":5}}}"#, [:], 200, #"{"a":6}"#),
        Step("PUT /c/d.json", "4", ["if-match": "null_etag"], 200, "4"),
        Step("PUT /c/a.json", "4", ["if-match": "null_etag"], 412, "1"),
    ]) func `a request that comes while the data are loaded is answered from them`(_ step: Step) async throws {
        let folder = try await filled()
        try await withLoadingServer(folder, loadingAfter: 1) { try await step.perform($0) }
    }

    @Test func `a stream that is opened while the data are loaded begins with them`() async throws {
        let folder = try await filled()
        try await withLoadingServer(folder, loadingAfter: 1) { client in
            try await client.listen("/c/b.json") { frames async throws in
                #expect(try await frames.next() == #"put {"path":"/","data":{"n":2}}"#)
            }
        }
    }

    @Test func `a write that came while the data were loaded is kept with all that was there`() async throws {
        let folder = try await filled()
        try await withLoadingServer(folder, loadingAfter: 2) { client in
            async let put: Void = Step("PUT /c/b.json", "5").perform(client)
            async let delete: Void = Step("DELETE /c/c.json").perform(client)
            _ = try await (put, delete)
            let crashed = try copy(folder)
            let found = try await withServer(data: crashed.path) { try await $0.get("/.json") }
            #expect(found == #"{"c":{"a":1,"b":5}}"#)
        }
    }

    @Test func `a kill while the data are loaded takes nothing, and no write that waited happened`() async throws {
        let folder = try await filled()
        try await withLoadingServer(
            folder, loadingAfter: 1,
            then: {
                let copy = try copy(folder)
                let found = try await withServer(data: copy.path) { try await $0.get("/.json") }
                #expect(found == #"{"c":{"a":1,"b":{"n":2},"c":3}}"#)
            }
        ) { try await Step("PUT /c/b.json", "5").perform($0) }
    }

    @Test func `a server that is told to stop does not load to the end first`() async throws {
        let folder = try await filled()
        let (waits, never) = (Latch(), Latch())
        let hold = { @Sendable in
            waits.open()
            try await never.wait()
        }
        try await withThrowingTaskGroup(of: String.self) { requests async throws in
            try await withLoadingServer(folder, loadingAfter: 1, then: hold) { client in
                requests.addTask { try await exchange("GET /c.json HTTP/1.1\r\nHost: localhost\r\n\r\n", with: client) }
                try await waits.wait()
            }
            #expect(try await requests.next() == "")
        }
    }

    @Test func `reading of the file ends when it is told to`() async throws {
        let folder = try await filled()
        let file = try RowFile(folder: folder.path, fsync: .always)
        file.stopLoading()
        #expect(throws: CancellationError.self) { try file.load() }
        try file.close()
    }
}
