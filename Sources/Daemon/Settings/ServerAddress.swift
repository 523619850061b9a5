internal import FoundationEssentials

/// Addresses of servers in the configuration. What stands there is shown and logged, so no password belongs into one.
enum ServerAddress {
    /// What is said of an address that can't be one of a server.
    static let complaint = "is no address of a server: write https://HOST/PATH, without a user or a fragment"

    /// What is said of a port that no server can have.
    static let portComplaint = "has a port that there is not: ports end at 65535"

    /// Whether the address says more than where the server is and what is asked of it.
    static func hasUserOrFragment(_ parts: URLComponents) -> Bool {
        parts.user != nil || parts.password != nil || parts.fragment != nil
    }
}
