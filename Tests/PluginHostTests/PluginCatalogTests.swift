import PluginWire
import Testing

@testable import PluginHost

struct PluginCatalogTests {
    @Test(
        arguments: [
            (PluginError(.limited, "slow down"), 60), (PluginError(.limited, "slow down", retryAfter: 6.2), 7),
            (PluginError(.unavailable, "it rests", retryAfter: 0.5), 1), (PluginError(.unavailable, "no"), nil),
        ] as [(PluginError, Int?)])
    func `a limit without a time is one of a minute`(error: PluginError, seconds: Int?) {
        #expect(PluginCatalog.retryAfter(of: error) == seconds)
    }
}
