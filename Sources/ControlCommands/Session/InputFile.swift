internal import OperatingSystem
internal import SystemPackage

/// A file that a command reads from its beginning to its end.
enum InputFile {
    /// Hands over the bytes of a file, or of standard input for `-`, a piece of up to 1 MiB at a time.
    ///
    /// - Throws: a `SystemError` where the file can't be read, and what `body` throws.
    static func read(_ file: String, _ body: ([UInt8]) throws -> Void) throws {
        if file == "-" {
            while case let chunk = try standardInput(), !chunk.isEmpty { try body(chunk) }
            return
        }
        let opened = try ReadableFile(path: file)
        var offset: UInt64 = 0
        while case let chunk = try opened.read(at: offset, count: 1 << 20), !chunk.isEmpty {
            try body(chunk)
            offset += UInt64(chunk.count)
        }
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
