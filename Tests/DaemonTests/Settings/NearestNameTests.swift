import PluginKit
import SyncModel
import Testing

@Suite struct NearestNameTests {
    private let names = ["remote.url", "remote.meta", "log.level", "local.listen", "state"]

    @Test(arguments: [
        ("remote.urll", "remote.url"), ("remote.ulr", "remote.url"), ("remot.meta", "remote.meta"),
        ("url", "remote.url"), ("logs.level", "log.level"), ("sate", "state"), ("colour", nil), ("x", nil), ("", nil),
    ])
    func `what was meant is found`(name: String, meant: String?) {
        #expect(NearestName.of(name, among: names) == meant)
    }
}
