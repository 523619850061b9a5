internal import Foundation
internal import JSONText
internal import OperatingSystem
internal import SyncModel

/// What the file of the change feed says of the state beside it.
package enum ChangeFeed {
    /// The number of the last change that was written to the file at `path`; nil where there is no such file, or it can't be
    /// told. A state that has not come so far is an older copy.
    package static func lastSequence(at path: String) -> Int64? {
        guard FileManager.default.fileExists(atPath: path), let file = try? DurableFile(path: path) else { return nil }
        return try? lastSequence(in: file)
    }

    /// The number in the last line; nil where there is no line, or it is none of ours.
    static func lastSequence(in file: DurableFile) throws -> Int64? {
        guard let line = try file.lastLine(), let members = try? JSONReader.members(line.bytes) else { return nil }
        return members["seq"]?.whole
    }
}
