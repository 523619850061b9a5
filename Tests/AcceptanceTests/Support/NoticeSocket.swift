import Glibc
import Synchronization
import SystemPackage
import TestSupport

/// What a service manager listens on: keeps what programs send.
final class NoticeSocket: Sendable {
    let path: FilePath
    private let descriptor: Int32
    private let kept = Mutex<[String]>([])

    /// Binds a datagram socket at `path`.
    init(path: FilePath) throws {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        // The layout of sockaddr_un: two bytes of family, then the path and a zero.
        let address = [UInt8(AF_UNIX), 0] + Array(path.string.utf8) + [0]
        let bound = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, socklen_t(bytes.count)) }
        }
        guard bound == 0 else { throw TooLate("cannot bind \(path)") }
    }

    deinit { close(descriptor) }

    /// All lines so far, in order.
    var lines: [String] {
        kept.withLock { kept in
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return kept }
                let text = String(decoding: buffer.prefix(count), as: UTF8.self)
                kept += text.split(separator: "\n").map(String.init)
            }
        }
    }
}

extension Site {
    /// A socket for `NOTIFY_SOCKET`.
    func noticeSocket() throws -> NoticeSocket { try NoticeSocket(path: folder.appending("notify.sock")) }
}
