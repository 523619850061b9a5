/// What the system says where a connection can't be made or breaks, in words for people.
package enum ConnectionFault {
    /// - Parameter number: an `errno`.
    /// - Returns: nil for one that people hardly ever meet.
    package static func words(for number: Int32) -> String? { all[number] }

    private static let all: [Int32: String] = [
        99: "the address is not available", 101: "the network is unreachable", 104: "the connection was reset",
        110: "it timed out", 111: "the connection was refused", 113: "there is no route to the host",
    ]
}
