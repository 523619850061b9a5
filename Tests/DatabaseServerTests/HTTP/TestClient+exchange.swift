import NIOCore
import TestSupport

/// Sends bytes as they are to the server of `client`, and returns what comes back, see ``TestSupport``.
func exchange(
    _ request: String, with client: TestClient, halfClosing: Bool = false,
    until enough: @Sendable (String) -> Bool = { _ in false }
) async throws -> String {
    let place = client.base.split(separator: "/").last?.split(separator: ":") ?? []
    let address = try SocketAddress(ipAddress: String(place.first ?? ""), port: place.last.flatMap { Int($0) } ?? 0)
    return try await exchange(request, at: address, halfClosing: halfClosing, until: enough)
}
