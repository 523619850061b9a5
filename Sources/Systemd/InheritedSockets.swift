internal import CSystemd
internal import Glibc

/// Listening sockets that the service manager made and handed over (socket activation).
package struct InheritedSockets: Sendable {
    /// A Unix stream socket for the control socket; nil where there is none.
    package private(set) var control: Int32?
    /// TCP sockets for the web page: those that their unit names ``pageName``.
    package private(set) var page: [Int32] = []
    /// The names of those that are neither, and that nobody listens to.
    package private(set) var unused: [String] = []

    /// What `FileDescriptorName=` says of the page's sockets.
    package static let pageName = "web"

    /// None at all.
    package init() {}

    /// Takes over what was handed to this process.
    ///
    /// Call it once, before any other thread runs or a child is started: it removes the variables from the
    /// environment and marks the descriptors close-on-exec. A second call finds nothing.
    package static func take() -> InheritedSockets {
        var sockets = InheritedSockets()
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        defer {
            var next = names
            while let name = next?.pointee {
                free(name)
                next = next?.successor()
            }
            free(names)
        }
        guard count > 0, let names else { return sockets }
        for index in 0..<Int(count) {
            sockets.add(SD_LISTEN_FDS_START + Int32(index), names[index].map { String(cString: $0) } ?? "")
        }
        return sockets
    }

    private mutating func add(_ descriptor: Int32, _ name: String) {
        let stream = CInt(SOCK_STREAM.rawValue)
        if name == InheritedSockets.pageName {
            guard sd_is_socket_inet(descriptor, AF_UNSPEC, stream, 1, 0) > 0 else { return unused.append(name) }
            page.append(descriptor)
        } else {
            guard control == nil, sd_is_socket_unix(descriptor, stream, 1, nil, 0) > 0 else {
                return unused.append(name)
            }
            control = descriptor
        }
    }
}
