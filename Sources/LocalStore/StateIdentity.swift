internal import OperatingSystem

/// The machine and the file a state lives on: where they differ from what it remembers, it was cloned or restored.
///
/// The file is known by its number in the file system and its birth. The number of the device counts only where the
/// file system knows no births: with btrfs, ZFS, NFS and the device mapper it may be another one after each boot.
struct StateIdentity: Hashable, Sendable {
    var machine: String
    var file: String

    init(path: String) {
        self.init(machine: MachineID.current() ?? "", file: try? FileIdentity.of(path: path))
    }

    init(machine: String, file: FileIdentity?) {
        self.machine = machine
        self.file =
            file.map { file in file.birth.map { "\(file.inode):\($0)" } ?? "\(file.device):\(file.inode):0" } ?? ""
    }

    var text: String { machine + " " + file }
}
