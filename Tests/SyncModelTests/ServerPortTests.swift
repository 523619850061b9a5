import SyncModel
import Testing

struct ServerPortTests {
    @Test(arguments: [
        "https://a.example", "https://a.example:/x", "http://u:p@a.example:1/b:99999", "http://[::1]:65535", "/x:70000",
    ])
    func `a port that can be one, or none at all`(address: String) { #expect(ServerPort.isUsable(in: address)) }

    @Test(arguments: ["0", "65536", "99999", "-1", "18446744073709551617", "8o"])
    func `what can be no port`(port: String) {
        for host in ["a.example", "[::1]", "u:1@a.example"] {
            #expect(!ServerPort.isUsable(in: "http://\(host):\(port)"))
            #expect(!ServerPort.isUsable(in: "http://\(host):\(port)/b?c=1"))
        }
    }
}
