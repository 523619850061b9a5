import NIOCore
import TestSupport

/// Sends bytes as they are to the server of `client`, and returns what comes back, see ``TestSupport``.
func exchange(
    _ request: String, with client: TestClient, halfClosing: Bool = false,
    until enough: @Sendable (String) -> Bool = { _ in false }
) async throws -> String {
    return try await exchange(request, at: client.address(), halfClosing: halfClosing, until: enough)
}

extension TestClient {
    /// Where the server listens.
    func address() throws -> SocketAddress {
        let place = base.split(separator: "/").last?.split(separator: ":") ?? []
        return try SocketAddress(ipAddress: String(place.first ?? ""), port: place.last.flatMap { Int($0) } ?? 0)
    }
}
