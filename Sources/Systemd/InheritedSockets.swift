internal import CSystemd
internal import Glibc

/// Listening sockets that the service manager made and handed over (socket activation).
package enum InheritedSockets {
    /// The listening Unix stream sockets handed to this process, by the name their unit gives them.
    ///
    /// Call it once, before any other thread runs or a child is started: it removes the variables from the
    /// environment and marks the descriptors close-on-exec. A second call finds nothing.
    package static func takeUnixListeners() -> [(name: String, descriptor: Int32)] {
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
        guard count > 0, let names else { return [] }
        return (0..<Int(count)).compactMap { index in
            let descriptor = SD_LISTEN_FDS_START + Int32(index)
            guard sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else { return nil }
            return (names[index].map { String(cString: $0) } ?? "", descriptor)
        }
    }
}
