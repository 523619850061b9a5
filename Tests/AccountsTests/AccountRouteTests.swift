import Accounts
import Testing

/// Which path asks for what.
struct AccountRouteTests {
    static let routes: [(String, String, AccountRoute?)] = [
        ("POST", "/v1/accounts:signUp", .call(.signUp, project: nil)),
        ("POST", "/identitytoolkit.googleapis.com/v1/accounts:lookup", .call(.lookup, project: nil)),
        ("POST", "/identitytoolkit.googleapis.com/v1/accounts%3Alookup", .call(.lookup, project: nil)),
        ("POST", "/v1/projects/p/accounts", .call(.signUp, project: "p")),
        ("POST", "/v1/projects/p/accounts:update", .call(.update, project: "p")),
        ("GET", "/v1/projects/p/accounts:batchGet", .call(.batchGet, project: "p")),
        ("POST", "/v1/projects/p/accounts:batchGet", .unknown),
        ("POST", "/v1/projects/p:createSessionCookie", .call(.createSessionCookie, project: "p")),
        ("POST", "/securetoken.googleapis.com/v1/token", .call(.token, project: nil)),
        ("POST", "/v1/accounts:token", .unknown),
        ("POST", "/v1/accounts:clear", .unknown),
        (
            "POST", "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword",
            .call(.signInWithPassword, project: nil)
        ),
        ("POST", "/identitytoolkit/v3/relyingparty/signupNewUser", .call(.signUp, project: nil)),
        ("GET", "/identitytoolkit/v3/relyingparty/publicKeys", .certificates),
        ("GET", "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com", .certificates),
        ("GET", "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com", .keySet),
        ("PATCH", "/identitytoolkit.googleapis.com/v2/projects/p/config", .call(.updateConfig, project: "p")),
        ("DELETE", "/emulator/v1/projects/p/accounts", .call(.clear, project: "p")),
        ("GET", "/emulator/v1/projects/p/oobCodes", .emulator(.sentCodes, project: "p")),
        ("GET", "/", .emulator(.ready, project: nil)),
        ("GET", "/v1/nothing", .unknown),
        // Places of databases.
        ("POST", "/v1/accounts:signUp.json", nil),
        ("GET", "/.json", nil),
        ("GET", "/robot.json", nil),
        ("PUT", "/", nil),
        ("GET", "/films", nil),
    ]

    @Test(arguments: routes) func `a path is what it says`(_ given: (String, String, AccountRoute?)) {
        #expect(AccountRoute(method: given.0, path: given.1[...]) == given.2)
    }
}
