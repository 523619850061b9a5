internal import Foundation
internal import JSONText
internal import OperatingSystem
internal import SyncModel

/// What the file of the change feed says of the state beside it.
package enum ChangeFeed {
    /// The file that a full one becomes.
    static func older(_ path: String) -> String { path + ".1" }

    /// The number of the last change that was written to the file at `path`, or, where it has none, to the older one beside
    /// it; nil where neither is there, or it can't be told. A state that has not come so far is an older copy.
    package static func lastSequence(at path: String) -> Int64? {
        for path in [path, older(path)] where FileManager.default.fileExists(atPath: path) {
            if let file = try? DurableFile(path: path), let last = try? lastSequence(in: file) { return last }
        }
        return nil
    }

    /// After which entry a file goes on: its last one, unless the state has never come so far.
    ///
    /// - Parameters:
    ///   - found: the number in its last line; nil where there is none.
    ///   - known: the last one that is known to be on the disk, in this file or another.
    ///   - newest: the last one that the state has.
    /// - Returns: also whether the file is ahead of the state.
    static func last(found: Int64?, known: Int64, newest: Int64) -> (last: Int64, isAhead: Bool) {
        guard let found else { return (known, false) }
        return found <= newest ? (found, false) : (known, true)
    }

    /// The number in the last line; nil where there is no line, or it is none of ours.
    static func lastSequence(in file: DurableFile) throws -> Int64? {
        guard let line = try file.lastLine(), let members = try? JSONReader.members(line.bytes) else { return nil }
        return members["seq"]?.whole
    }
}
