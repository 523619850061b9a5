import Testing

@testable import DatabaseServer

struct VerifiedTokensTests {
    @Test func `what is asked for is remembered, the rest is forgotten`() {
        let tokens = VerifiedTokens(limit: 2)
        for number in 0..<10 {
            tokens.remember(Identity(principal: .administrator, expires: Int64(number)), of: "\(number)")
            _ = tokens.identity(of: "0")
        }
        #expect(tokens.identity(of: "0")?.expires == 0)
        #expect(tokens.identity(of: "9")?.expires == 9)
        #expect(tokens.identity(of: "2") == nil)
        tokens.forget("0")
        #expect(tokens.identity(of: "0") == nil)
    }
}
