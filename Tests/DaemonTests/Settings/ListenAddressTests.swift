import PluginKit
import SyncModel
import Testing

@testable import Daemon

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:9000", "127.0.0.1", 9000), ("localhost:0", "localhost", 0), ("[::1]:80", "::1", 80),
    ])
    func `host and port are read`(text: String, host: String, port: Int) {
        let address = ListenAddress(text)
        #expect(address == ListenAddress(host: host, port: port))
        #expect(address?.description == text)
    }

    @Test(arguments: ["", ":", "9000", ":9000", "host:", "host:65536", "host:-1", "::1:80", "a b:1", "http://x:1"])
    func `anything else is refused`(_ text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test(
        arguments: [
            ("250ms", .milliseconds(250)), ("60s", .seconds(60)), ("10m", .seconds(600)), ("2h", .seconds(7200)),
            ("90d", .seconds(7_776_000)), ("0s", .zero), ("", nil), ("s", nil), ("1", nil), ("1.5s", nil), ("-1s", nil),
            ("1 s", nil), ("1S", nil), ("40000d", nil), ("99999999999999999999s", nil),
        ] as [(String, Duration?)])
    func `durations have a unit`(text: String, duration: Duration?) {
        #expect(Duration(setting: text) == duration)
    }
}
