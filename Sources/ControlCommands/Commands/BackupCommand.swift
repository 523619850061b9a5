internal import ArgumentParser
internal import ControlAPI
internal import OperatingSystem

struct BackupCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the state of the running daemon into a file.",
        discussion: """
            The file is a SQLite database of mode 0600, checked and whole. Put in place of state.sqlite while no daemon \
            runs, it begins a new node. A SQLite database that is there already, such as an older backup, is replaced when the \
            new one is complete; any other file stays.
            """
    )

    @Argument(help: "Where to.")
    var file: String

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let status = try await session.client.status()
        if DaemonFiles.contain(file, journal: status.journal.path) {
            throw CommandFailure(.usage, "\(file) is a file of the daemon's own: name another one")
        }
        guard DaemonFiles.isFreeForBackup(file) else {
            throw CommandFailure(.usage, "\(file) is there, and is no backup: name another one")
        }
        let copy: ReplacingFile
        do { copy = try ReplacingFile(path: file) } catch {
            throw CommandFailure(.inputOutput, "\(error)")
        }
        var size = 0
        try await session.client.download(ControlRoute.backup) { bytes in
            size += bytes.count
            do throws(SystemError) { try copy.write(bytes) } catch {
                throw CommandFailure(.inputOutput, "\(error)")
            }
        }
        do throws(SystemError) { try copy.finish() } catch {
            throw CommandFailure(.inputOutput, "\(error)")
        }
        let text = "the state is in \(file) (\(Formatted.bytes(UInt64(size))))"
        try session.output.show(WrittenAnswer(file, bytes: size, line: text))
    }
}
