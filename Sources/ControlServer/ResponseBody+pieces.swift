internal import Hummingbird
internal import NIOCore

extension ResponseBody {
    /// A body of `size` bytes that is read as it is sent: no more than 64 KiB of it are in memory at once.
    init(pieces size: Int, _ read: @escaping @Sendable (_ offset: UInt64, _ count: Int) throws -> [UInt8]) {
        self.init(contentLength: size) { writer in
            var offset = 0
            while offset < size {
                let bytes = try read(UInt64(offset), min(64 << 10, size - offset))
                guard !bytes.isEmpty else { break }
                try await writer.write(ByteBuffer(bytes: bytes))
                offset += bytes.count
            }
            try await writer.finish(nil)
        }
    }
}
