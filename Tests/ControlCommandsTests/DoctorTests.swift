import ControlAPI
import ControlTestSupport
import FoundationEssentials
import Glibc
import OperatingSystem
import SystemPackage
import TestSupport
import Testing

@testable import ControlCommands

struct DoctorTests {
    @Test(
        arguments: [
            (MachineRules.clock(KernelClock(isSynchronized: true, errorMicroseconds: 2_500)), .ok),
            (MachineRules.clock(KernelClock(isSynchronized: false, errorMicroseconds: 0)), .warning),
            (MachineRules.clock(nil), .unknown), (MachineRules.serverClock(offset: -900, maxAhead: nil), .ok),
            (MachineRules.serverClock(offset: 6_000, maxAhead: nil), .warning),
            (MachineRules.serverClock(offset: -61_000, maxAhead: nil), .error),
            (MachineRules.serverClock(offset: -61_000, maxAhead: 600_000), .warning),
            (MachineRules.disk("/s", DiskRoom(freeBytes: 1 << 40, totalBytes: 1 << 41)), .ok),
            (MachineRules.disk("/s", DiskRoom(freeBytes: 1 << 30, totalBytes: 1 << 41)), .warning),
            (MachineRules.disk("/s", DiskRoom(freeBytes: 1 << 20, totalBytes: 1 << 21)), .error),
            (MachineRules.disk("/s", DiskRoom(freeBytes: 1 << 40, totalBytes: 1 << 41, freeFiles: 0)), .error),
            (MachineRules.watches(instances: 128, watches: 65_536), .ok),
            (MachineRules.watches(instances: 1, watches: 65_536), .warning),
            (MachineRules.watches(instances: nil, watches: 1), .unknown),
            (MachineRules.journal("/j", nil, problem: nil), .ok),
            (
                MachineRules.journal("/j", nil, problem: SystemError(code: EACCES, operation: "open", path: "/j")),
                .error
            ),
            (MachineRules.stateOfAnother(than: "/s"), .unknown),
            (
                MachineRules.state(
                    "/s", .failure(SystemError(code: EACCES, operation: "look at")), isDaemonUp: true), .unknown
            ),
            (
                MachineRules.state("/s", .failure(SystemError(code: ENOENT, operation: "look at")), isDaemonUp: true),
                .error
            ),
            (
                MachineRules.state("/s", .failure(SystemError(code: ENOENT, operation: "look at")), isDaemonUp: false),
                .ok
            ),
        ] as [(Finding, Finding.Level)])
    func `a fact has its level, and what is wrong a way to mend it`(finding: Finding, level: Finding.Level) {
        #expect(finding.level == level)
        #expect((finding.fix == nil) == (level == .ok || level == .unknown))
    }

    @Test(
        arguments: [(EROFS, 7, Finding.Level.error), (EACCES, 0, .error), (EACCES, 7, .ok), (0, 0, .ok)]
            as [(CInt, UInt32, Finding.Level)])
    func `a state's folder that can't be written is found`(code: CInt, others: UInt32, level: Finding.Level) throws {
        let place = try TemporaryFolder()
        let folder = try FileIdentity.of(path: place.path)
        let refusal = code == 0 ? nil : SystemError(code: code, operation: "make a file in")
        let finding = MachineRules.state(
            "/s", .success(folder), refusal, user: folder.owner + others, isDaemonUp: false)
        #expect(finding.level == level && (finding.fix == nil) == (level == .ok))
    }

    @Test func `what is wrong with the configuration is an error each`() {
        let places = ConfiguredPlaces(file: "/c", collections: [], problems: ["a", "b"], warnings: ["c"])
        #expect(DaemonRules.configuration(places).map(\.level) == [.error, .error, .warning])
        #expect(DaemonRules.configuration(nil).map(\.level) == [.unknown])
    }

    @Test func `a reason of the daemon names the command that helps`() {
        let health = HealthReport(
            level: .warning, reasons: ["3 in quarantine: see moviesync quarantine", "the remote is busy"])
        #expect(DaemonRules.health(health).map(\.fix) == ["moviesync quarantine", "moviesync status shows more"])
    }

    @Test func `nodes of other versions, and with other declarations, are told`() {
        var nodes = FakeControlService.nodes
        #expect(DaemonRules.nodes(nodes).map(\.message) == ["not all nodes are 0.1.0: cellar (0.0.9)"])
        nodes[1].version = MoviesyncVersion.current
        #expect(DaemonRules.nodes(nodes).map(\.level) == [.ok])
        nodes[1].collections["movies"]?.isDeclaredOtherwise = true
        #expect(DaemonRules.nodes(nodes).map(\.message) == ["cellar declares movies otherwise"])
    }
}

@Suite(.inTurn, .timeLimit(.minutes(1)))
struct DoctorToolTests {
    private func findings(_ run: ToolRun) throws -> [String: String] {
        let page = try ControlJSON.read(Page<Finding>.self, from: Data(run.output.utf8))
        return Dictionary(page.items.map { ($0.check, $0.level.rawValue) }) { first, _ in first }
    }

    @Test func `with a daemon the remote is looked at, too`() async throws {
        try await withServedSocket(FakeControlService.full()) { socket in
            let run = try await moviesync(["doctor", "--json"], socket: socket)
            let found = try findings(run)
            #expect(found["daemon"] == "ok" && found["rules"] == "warning" && found["nodes"] == "warning")
            #expect(found["remote"] == "ok" && found["serverClock"] == "ok")
        }
    }

    @Test func `without one it says what could not be looked at`() async throws {
        try await withTemporaryFolder { folder in
            let run = try await moviesync(
                ["doctor", "--json"], socket: "\(folder)/none", home: folder.string,
                environment: ["MOVIESYNC_JOURNAL": "\(folder)/journal.jsonl"])
            #expect(run.exitCode == 2)
            let found = try findings(run)
            #expect(found["daemon"] == "error" && found["rules"] == "unknown" && found["health"] == "unknown")
            #expect(found["clock"] != nil && found["disk"] != nil && found["inotify"] != nil)
        }
    }
}
