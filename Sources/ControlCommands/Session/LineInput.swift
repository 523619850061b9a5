internal import NIOPosix
internal import SystemPackage

/// The lines of standard input, read where nobody else has to wait for them.
final class LineInput {
    private var rest: [UInt8] = []
    private var isOver = false

    /// The next line without its end; nil at the end.
    func next() async throws -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeFirst(end + 1) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            if isOver {
                defer { rest = [] }
                return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
            }
            let bytes = try await NIOThreadPool.singleton.runIfActive {
                try [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
                    count = try FileDescriptor.standardInput.read(into: UnsafeMutableRawBufferPointer(buffer))
                }
            }
            isOver = bytes.isEmpty
            rest += bytes
        }
    }
}
