package import ControlAPI
internal import FoundationEssentials
internal import LocalStore
internal import OperatingSystem
internal import Synchronization

extension SyncEngine {
    package func backup() async throws -> BackupReply {
        let isFirst = isBackingUp.withLock { isBackingUp in
            defer { isBackingUp = true }
            return !isBackingUp
        }
        guard isFirst else { throw ControlError.backingUp }
        defer { isBackingUp.withLock { $0 = false } }
        let path = context.store.unfinishedBackup
        do {
            try await context.store.backUp(to: path)
        } catch {
            throw ControlError.stateFailed("the copy beside it can't be made: \(error)")
        }
        // Open, it stays until nobody reads it any more.
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = try ReadableFile(path: path)
        return BackupReply(size: Int(clamping: try file.identity().size)) { offset, count in
            try file.read(at: offset, count: count)
        }
    }
}
