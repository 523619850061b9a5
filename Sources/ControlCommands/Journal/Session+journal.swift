internal import OperatingSystem
internal import SystemPackage

extension Session {
    /// Hands over the bytes of a journal: of the named file, of standard input for `-`, else of the daemon's journal.
    ///
    /// - Returns: what the journal is called.
    func readJournal(_ file: String?, _ body: ([UInt8]) throws -> Void) async throws -> String {
        if file == "-" {
            while case let chunk = try Session.standardInput(), !chunk.isEmpty { try body(chunk) }
            return "standard input"
        }
        let path = await editTarget(file).journal
        do {
            let journal = try ReadableFile(path: path)
            var offset: UInt64 = 0
            while case let chunk = try journal.read(at: offset, count: 1 << 20), !chunk.isEmpty {
                try body(chunk)
                offset += UInt64(chunk.count)
            }
        } catch let error as SystemError {
            throw CommandFailure(error)
        }
        return path
    }

    private static func standardInput() throws -> [UInt8] {
        do {
            return try [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
                count = try FileDescriptor.standardInput.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
        } catch {
            throw CommandFailure(.inputOutput, "standard input can't be read: \(error)")
        }
    }
}
