internal import Crypto
internal import FoundationEssentials
internal import OperatingSystem
internal import SyncModel
internal import Synchronization

/// The folder that pictures are kept in: two levels, by the digest of their address and their width.
///
/// What was used last is known while the daemon runs; after a restart what was made last counts.
final class PictureCache: Sendable {
    private let folder: String
    private let capacity: Mutex<Int>
    private let index = Mutex<CacheIndex?>(nil)
    private let hadNoUse = Mutex<UInt64?>(nil)

    init(folder: String, capacity: Int) {
        self.folder = folder
        self.capacity = Mutex(capacity)
    }

    /// Puts another limit in force, in bytes; what is above it goes at the next picture.
    func setCapacity(_ bytes: Int) {
        capacity.withLock { $0 = bytes }
        index.withLock { $0?.capacity = bytes }
    }

    /// The name that a picture is kept under.
    static func name(of plan: ArtworkPlan) -> String {
        let digest = Hexadecimal.text(Array(SHA256.hash(data: Array(plan.source.utf8))))
        return digest + "-" + (plan.width.map(String.init) ?? "full")
    }

    func path(of name: String) -> String { Folder.path(name, in: Folder.path(String(name.prefix(2)), in: folder)) }

    func find(_ name: String, at now: UInt64) -> CacheIndex.Found { withIndex { $0.find(name, at: now) } }

    /// A picture that is about to be written; it stands beside its place until it is finished.
    func begin(_ name: String) throws -> ReplacingFile {
        let path = path(of: name)
        try Folder.make(Folder.containing(path), mode: 0o750)
        return try ReplacingFile(path: path, mode: 0o640)
    }

    /// Puts a written picture in its place; an empty file says that there is none.
    func finish(_ file: ReplacingFile, _ name: String, at now: UInt64) throws {
        let gone = try withIndex { index in
            try file.finish()
            return index.add(name, size: Int(try FileIdentity.of(path: file.path).size), made: now)
        }
        for name in gone { remove(name) }
    }

    /// Gives up a tenth of what is kept, the longest unused: the disk is full. Where that was of no use, as somebody else fills
    /// it, the rest stays for a while.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: whether anything was given up.
    func makeRoom(at now: UInt64) -> Bool {
        let isOfUse = hadNoUse.withLock { last in last.map { now < $0 || now - $0 > PictureCache.pause } ?? true }
        guard isOfUse else { return false }
        let gone = withIndex { $0.shrink(to: $0.size - $0.size / 10 - 1) }
        for name in gone { remove(name) }
        return !gone.isEmpty
    }

    /// What ``makeRoom(at:)`` has given up was of no use.
    func noteNoUse(at now: UInt64) { hadNoUse.withLock { $0 = now } }

    /// In milliseconds.
    private static let pause: UInt64 = 600_000

    /// Takes out a picture whose file is gone or damaged.
    func forget(_ name: String) {
        withIndex { $0.remove(name) }
        remove(name)
    }

    private func remove(_ name: String) {
        // A file that stays is found at the next start, and goes then.
        try? FileManager.default.removeItem(atPath: path(of: name))
    }

    private func withIndex<Result>(_ body: (inout CacheIndex) throws -> Result) rethrows -> Result {
        try index.withLock { index in
            var opened = index ?? load()
            defer { index = opened }
            return try body(&opened)
        }
    }

    /// What earlier runs have left; what no longer fits goes at the first new picture.
    private func load() -> CacheIndex {
        var index = CacheIndex(capacity: capacity.withLock { $0 })
        // A folder that is not there yet is empty.
        for part in (try? Folder.names(in: folder)) ?? [] where part.count == 2 {
            let inner = Folder.path(part, in: folder)
            for name in (try? Folder.names(in: inner)) ?? [] where name.hasPrefix(part) && !name.hasSuffix(".part") {
                guard let file = try? FileIdentity.of(path: Folder.path(name, in: inner)) else { continue }
                for gone in index.add(name, size: Int(file.size), made: file.modified) { remove(gone) }
            }
        }
        return index
    }
}
