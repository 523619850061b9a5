internal import OperatingSystem

extension Session {
    /// Hands over the bytes of a journal: of the named file, of standard input for `-`, else of the daemon's journal.
    ///
    /// - Returns: what the journal is called.
    func readJournal(_ file: String?, _ body: ([UInt8]) throws -> Void) async throws -> String {
        if file == "-" {
            try InputFile.read("-", body)
            return "standard input"
        }
        let target = try await editTarget(file)
        let path = target.journal
        do {
            try InputFile.read(path, body)
        } catch let error as SystemError where error.isMissing && file == nil && target.status != nil {
            // The daemon waits for the first line.
        } catch let error as SystemError where error.isMissing && file != nil {
            throw CommandFailure(.inputOutput, "\(error)")
        } catch let error as SystemError {
            throw CommandFailure(error)
        }
        return path
    }
}
