import Foundation
import JSONText
import LocalStore
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
    func open() throws -> LocalStore { try LocalStore(folder: path) }

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

extension Transaction {
    /// Stores a version of a record.
    func put(_ version: Version?, _ number: UInt64, pending: Pending = .yes, now: UInt64 = 5) throws {
        var stored = try record(Sample.key(number))
        stored.state.local = version
        try save(stored, pending: pending, now: now)
    }
}
