import Foundation
import JSONText
import LocalStore
import SyncCore
import SyncModel
import TestSupport

/// A state folder in a temporary one.
final class StateFolder: Sendable {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    // A test may have taken the right to write, without which nothing in it can be removed.
    deinit { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path) }

    /// Not there until it is opened.
    var path: String { folder("state") }

    var file: String { path + "/state.sqlite" }

    /// Opens the state in it.
    func open(_ limits: StoreLimits = .init()) throws -> LocalStore { try LocalStore(folder: path, limits: limits) }

    /// Writes a state file by hand.
    func put(_ bytes: Data) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try bytes.write(to: URL(filePath: file))
    }

    /// What the state file holds now.
    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: file)) }
}

/// Records for tests.
enum Sample {
    static func key(_ number: UInt64) -> RecordKey { RecordKey("movies", RecordID(high: 0x4011, low: number)) }
    static func stamp(_ time: UInt64) -> Stamp { Stamp(physical: time, counter: 0, node: NodeID(1)) }
    static func film(_ title: String, _ time: UInt64) -> Version {
        Version(Content(fields: ["title": .string(title)]), stamp(time))
    }
}

extension BookContext {
    /// For a collection without rules of its own, at this time.
    static func at(_ wall: UInt64) -> BookContext {
        BookContext(
            merge: MergeRules(), keepsTombstones: true, time: StampPolicy(wall: wall, offset: 0, maxAhead: 60_000))
    }
}

extension Transaction {
    /// Whether an operation with this `opID` is remembered.
    func isRegistered(opID: String) throws -> Bool { try !noted([OperationMark(opID)]).isEmpty }

    /// Stores a version of a record as all that is known of it.
    func put(_ version: Version?, _ number: UInt64, pending: Pending = .yes, now: UInt64 = 5) throws {
        var stored = try record(Sample.key(number))
        stored.state.stamp = version?.stamp
        stored.state.known = KnownVersion()
        if let version, let content = version.content {
            stored.state.known.fields = StampedContent(content, FieldStamps(version.stamp))
        } else {
            stored.state.known.deletion = version?.stamp
        }
        try save(stored, pending: pending, now: now)
    }
}
