internal import OperatingSystem

/// The machine and the file a state lives on: where they differ from what it remembers, it was cloned or restored.
struct StateIdentity: Hashable, Sendable {
    var machine: String
    var file: String

    init(path: String) {
        machine = MachineID.current() ?? ""
        file = (try? FileIdentity.of(path: path)).map { "\($0.device):\($0.inode):\($0.birth ?? 0)" } ?? ""
    }

    var text: String { machine + " " + file }
}
