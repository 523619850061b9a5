import HTTPTypes
import Testing

@testable import DatabaseServer

/// Which database a client means by a name.
struct DatabaseNameTests {
    @Test(arguments: [
        ("hub", ""), ("HUB", ""), ("hub.home:9000", ""), ("", ""), ("home", "home"), ("hub.home", "hub.home"),
    ])
    func `the host stands for the hub's own, also where a page of another origin asks`(name: String, database: String)
        throws
    {
        let head = HTTPRequest(
            method: .put, scheme: "http", authority: "hub.home:9000", path: "/a.json?ns=\(name)",
            headerFields: [.origin: "http://elsewhere"])
        #expect(try RestRequest(head).database == database)
        #expect(CrossOrigin(head).database == database)
    }
}
