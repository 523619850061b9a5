@preconcurrency import Dispatch
import Glibc
import Synchronization
import SystemPackage
import TestSupport

/// What a service manager listens on: keeps what programs send.
final class NoticeSocket: Sendable {
    let path: FilePath
    private let kept = Mutex<[String]>([])
    private let bell = Bell()
    private let source: any DispatchSourceRead

    /// Binds a datagram socket at `path`.
    init(path: FilePath) throws {
        self.path = path
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        // The layout of sockaddr_un: two bytes of family, then the path and a zero.
        let address = [UInt8(AF_UNIX), 0] + Array(path.string.utf8) + [0]
        let bound = address.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { bind(descriptor, $0.baseAddress, socklen_t(bytes.count)) }
        }
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
        source.setCancelHandler { close(descriptor) }
        source.setEventHandler { [weak self] in self?.receive(from: descriptor) }
        source.activate()
        guard bound == 0 else { throw TooLate("cannot bind \(path)") }
    }

    deinit { source.cancel() }

    private func receive(from descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { return }
        let lines = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: "\n").map(String.init)
        kept.withLock { $0 += lines }
        bell.ring()
    }

    /// Waits until a line has come so many times.
    func until(_ line: String, times: Int = 1) async throws {
        try await TestSupport.until(line, hearing: [bell]) {
            self.kept.withLock { $0.count { $0 == line } } >= times ? () : nil
        }
    }
}

extension Site {
    /// A socket for `NOTIFY_SOCKET`.
    func noticeSocket() throws -> NoticeSocket { try NoticeSocket(path: folder.appending("notify.sock")) }
}
