import ControlAPI
import ControlTestSupport
import OperatingSystem
import Synchronization
import TestSupport
import Testing

@testable import ControlCommands

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct SignOfLifeTests {
    private static let brief = SignOfLife(after: .milliseconds(1), within: .milliseconds(20))

    /// What is said where a socket takes connections, and nobody reads what comes.
    private func silence(_ ask: (ControlClient) async throws -> Void) async throws -> CommandFailure {
        try await withTemporaryFolder { folder in
            let listener = try UnixListener.bind(path: "\(folder)/control.sock")
            return try await silence(at: listener.path, ask)
        }
    }

    private func silence(
        at socket: String, _ ask: (ControlClient) async throws -> Void
    ) async throws -> CommandFailure {
        let failure = await #expect(throws: CommandFailure.self) {
            try await ControlClient.open(socket: socket, signOfLife: Self.brief, ask)
        }
        return try #require(failure)
    }

    @Test func `a daemon that takes connections and does not answer is said to run, whatever it was asked`()
        async throws
    {
        let asked: [(ControlClient) async throws -> Void] = [
            { _ = try await $0.status() },
            { _ = try await $0.get(ControlRoute.health, as: HealthReport.self) },
            { _ = try await $0.post(ControlRoute.sync, wait: .seconds(3_600), as: SyncReply.self) },
            { _ = try await $0.changes(after: 0) { _ in } },
            { try await $0.download(ControlRoute.backup) { _ in } },
        ]
        for ask in asked {
            let failure = try await silence(ask)
            #expect(failure.code == .notRunning && failure.reply.code == "notAnswering")
            #expect(failure.message.contains(", pid \(ThisProcess.id), is running, but does not answer"))
            let finding = DaemonRules.socket("/s", .failure(failure))
            #expect(finding.level == .error && finding.fix?.contains("systemctl restart") == true)
            #expect(DaemonRules.unchecked(failure).allSatisfy { $0.message.contains("the daemon does not answer") })
        }
    }

    @Test func `one that says nothing any more in the middle of a stream is noticed`() async throws {
        try await withTemporaryFolder { folder in
            let socket = "\(folder)/control.sock"
            let hasBegun = Mutex(false)
            try await withServer(
                at: socket,
                { request, line in
                    if request.path == ControlRoute.changes {
                        try await line.beginStream()
                        hasBegun.withLock { $0 = true }
                    } else if !hasBegun.withLock({ $0 }) {
                        return try await line.reply(200, [:], "{}")
                    }
                    await line.staySilent()
                },
                { server in
                    let failure = await #expect(throws: CommandFailure.self) {
                        let often = SignOfLife(after: .milliseconds(1), within: .seconds(3))
                        try await ControlClient.open(socket: socket, signOfLife: often) {
                            _ = try await $0.changes(after: 0) { _ in }
                        }
                    }
                    #expect(failure?.isSilence == true)
                    #expect(server.requests.contains { $0.path == ControlRoute.changes })
                })
        }
    }

    @Test func `so is one before whom more wait than may`() async throws {
        try await withTemporaryFolder { folder in
            let listener = try UnixListener.bind(path: "\(folder)/control.sock")
            while PeerCredentials.listening(at: listener.path) != nil {}
            let failure = try await silence(at: listener.path) { _ = try await $0.status() }
            #expect(failure.message.contains("is running, but does not answer"), "\(failure.message)")
        }
    }

    @Test func `one that is not there is said to be down`() async throws {
        try await withTemporaryFolder { folder in
            let failure = try await silence(at: "\(folder)/none.sock") { _ = try await $0.status() }
            #expect(failure.code == .notRunning && !failure.isSilence)
            #expect(DaemonRules.socket("/s", .failure(failure)).fix?.contains("systemctl start") == true)
            #expect(DaemonRules.unchecked(failure).allSatisfy { $0.message.contains("no daemon answers") })
        }
    }

    @Test func `who waits goes on waiting as long as the daemon lives`() async throws {
        let service = FakeControlService()
        try await withServedSocket(service) { socket in
            let often = SignOfLife(after: .milliseconds(1), within: .seconds(60))
            try await ControlClient.open(socket: socket, signOfLife: often) { client in
                let looks = service.looks.rings()
                let seen = try await client.attended {
                    var seen = 0
                    for await _ in looks.prefix(3) { seen += 1 }
                    return seen
                }
                #expect(seen == 3)
            }
        }
    }

    @Test(arguments: [
        ("ActiveState=active\nMainPID=812\n", SilentListener.daemon(812)),
        ("MainPID=9\nActiveState=reloading", .daemon(9)),
        ("ActiveState=activating\nMainPID=812\n", .manager), ("ActiveState=deactivating\nMainPID=812\n", .manager),
        ("ActiveState=failed\nMainPID=0", .manager), ("", .manager), ("ActiveState", .manager),
    ])
    func `who waits behind the service manager's socket waits for a daemon that is starting, and for none that hangs`(
        unit: String, listener: SilentListener
    ) {
        #expect(SilentListener(unit: unit) == listener)
    }
}
