import SyncModel
import Testing

@testable import HookRules

struct WebhookTests {
    /// The example of the specification's own libraries.
    @Test func `signs as Standard Webhooks has it`() throws {
        let signature = try #require(WebhookSignature(secret: Array("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw".utf8)))
        let header = signature.header(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8))
        #expect(header == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `signs with each secret while receivers change over`() throws {
        let one = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
        let both = try #require(WebhookSignature(secret: Array("\(one)\r\nMfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx\n".utf8)))
        let words = both.header(id: "a", seconds: 1, body: []).split(separator: " ")
        #expect(words.count == 2 && Set(words).count == 2)
        #expect(WebhookSignature(secret: Array(one.utf8))?.header(id: "a", seconds: 1, body: []) == String(words[0]))
    }

    @Test(arguments: ["", "\n", "whsec_", "whsec_short", "whsec_!!!!", "a secret that is no Base64"])
    func `a secret that is none is not used`(text: String) {
        #expect(WebhookSignature(secret: Array(text.utf8)) == nil)
    }

    private static func address(_ text: String) throws -> NetworkAddress {
        if text.contains(".") {
            return try #require(NetworkAddress(bytes: text.split(separator: ".").compactMap { UInt8($0) }))
        }
        let halves = text.split(separator: "::", omittingEmptySubsequences: false).map { half in
            half.split(separator: ":").flatMap { word in
                let value = UInt16(word, radix: 16) ?? 0
                return [UInt8(value >> 8), UInt8(value & 0xFF)]
            }
        }
        let zeros = [UInt8](repeating: 0, count: 16 - halves.reduce(0) { $0 + $1.count })
        return try #require(NetworkAddress(bytes: halves[0] + zeros + (halves.count > 1 ? halves[1] : [])))
    }

    @Test(arguments: [
        "127.0.0.1", "127.255.0.3", "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254",
        "0.0.0.0", "100.64.0.1", "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.2.1",
        "::", "::1", "::ffff:7f00:1", "::ffff:a00:1", "64:ff9b::7f00:1", "2002:7f00:1::", "fe80::1", "fc00::1",
        "fd12:3456::1", "ff02::1", "2001:db8::1",
    ])
    func `no request goes to an address that is not public`(text: String) throws {
        #expect(try Self.address(text).isPrivate)
    }

    @Test(arguments: [
        "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.128.0.1", "1.1.1.1", "192.0.3.1", "2606:4700::1111",
        "::ffff:808:808", "64:ff9b::808:808", "2a00:1450::1",
    ])
    func `public addresses are public`(text: String) throws {
        #expect(try !Self.address(text).isPrivate)
    }
}
