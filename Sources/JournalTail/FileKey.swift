internal import OperatingSystem

/// What stays the same of a file as long as it exists.
struct FileKey: Decodable, Hashable, Sendable {
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

    /// As it is stored: JSON.
    var text: String {
        #"{"device":\#(device),"inode":\#(inode)"# + (birth.map { #","birth":\#($0)"# } ?? "") + "}"
    }

    /// Inode and birth decide, and the device only where a birth is not known: its number may be another one after
    /// each boot (btrfs, ZFS, NFS, device mapper).
    func isSame(as other: FileKey) -> Bool {
        guard inode == other.inode else { return false }
        guard let birth, let otherBirth = other.birth else { return device == other.device }
        return birth == otherBirth
    }
}
