internal import Foundation
internal import OperatingSystem

/// Knows a state again that was closed in good order and that nobody has touched since, by what stands in a small file
/// beside it: such a one need not be read through at the start.
enum CleanClose {
    private static func note(of path: String) -> String { path + ".closed" }

    /// What the file is now: where, how long, and when it changed; nil where it can't be told, or a log is beside it.
    private static func text(_ path: String) -> String? {
        if let log = try? FileIdentity.of(path: path + "-wal"), log.size > 0 { return nil }
        guard let file = try? FileIdentity.of(path: path) else { return nil }
        // Not when its content changed, which anybody can set.
        return "\(file.device) \(file.inode) \(file.birth ?? 0) \(file.size) \(file.changedNanoseconds)\n"
    }

    /// Notes that the state was just closed.
    static func note(_ path: String) {
        guard let text = text(path) else { return }
        try? Data(text.utf8).write(to: URL(filePath: note(of: path)), options: .atomic)
    }

    /// Whether the state is the one that was closed last, untouched.
    static func isAsNoted(_ path: String) -> Bool {
        guard let noted = FileManager.default.contents(atPath: note(of: path)) else { return false }
        return text(path).map { noted == Data($0.utf8) } ?? false
    }

    /// Forgets what was noted: the state is about to be changed.
    static func forget(_ path: String) { try? FileManager.default.removeItem(atPath: note(of: path)) }
}
