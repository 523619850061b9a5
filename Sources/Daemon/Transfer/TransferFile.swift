internal import FoundationEssentials
internal import OperatingSystem
internal import SystemPackage

/// The bytes of a file, which may be larger than the memory.
struct TransferFile: Sendable {
    private let data: Data

    var size: Int { data.count }

    init(path: String) throws {
        // Says what is wrong in the words of the system; mapping would not.
        let size = try CommandFailure.ofFile { try ReadableFile(path: path).identity().size }
        guard size > 0 else {
            data = Data()
            return
        }
        do {
            data = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
        } catch {
            throw CommandFailure(.inputOutput, "\(path) can't be read: \(error)")
        }
    }

    private init(_ data: Data) { self.data = data }

    static func standardInput() throws -> TransferFile {
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: 1 << 20)
        do {
            while true {
                let count = try chunk.withUnsafeMutableBytes { try FileDescriptor.standardInput.read(into: $0) }
                guard count > 0 else { return TransferFile(data) }
                data.append(contentsOf: chunk[..<count])
            }
        } catch {
            throw CommandFailure(.inputOutput, "standard input can't be read: \(error)")
        }
    }

    /// The bytes are good for the time of `body`.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try data.withUnsafeBytes(body)
    }
}

extension CommandFailure {
    /// Writes a piece of the answer to the standard output.
    static func writingOutput(_ piece: [UInt8]) throws {
        do {
            try FileDescriptor.standardOutput.writeAll(piece)
        } catch {
            throw CommandFailure(.inputOutput, "cannot write to standard output: \(error)")
        }
    }

    /// Runs `body`; a system error in it is one of reading or writing a file.
    static func ofFile<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SystemError {
            throw CommandFailure(.inputOutput, error.description)
        }
    }
}
