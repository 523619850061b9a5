internal import OperatingSystem

/// What stays the same of a file as long as it exists.
struct FileKey: Codable, Hashable, Sendable {
    var device: UInt64
    var inode: UInt64
    var birth: UInt64?

    init(device: UInt64, inode: UInt64, birth: UInt64?) {
        self.device = device
        self.inode = inode
        self.birth = birth
    }

    init(_ identity: FileIdentity) {
        self.init(device: identity.device, inode: identity.inode, birth: identity.birth)
    }

    /// Equal as far as both know: without birth times, device and inode decide.
    func isSame(as other: FileKey) -> Bool {
        device == other.device && inode == other.inode && (birth == nil || other.birth == nil || birth == other.birth)
    }
}
