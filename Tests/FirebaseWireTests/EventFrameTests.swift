import Testing

@testable import FirebaseWire

struct EventFrameTests {
    @Test func `frames are what clients of the real service read`() throws {
        let put = EventFrame.change(.put, at: try WirePath(parsing: "a/k\""), data: Array("null".utf8))
        #expect(String(decoding: put, as: UTF8.self) == "event: put\ndata: {\"path\":\"/a/k\\\"\",\"data\":null}\n\n")
        #expect(String(decoding: EventFrame.notice(.keepAlive), as: UTF8.self) == "event: keep-alive\ndata: null\n\n")
        let revoked = EventFrame.notice(.authRevoked, "credential is no longer valid")
        #expect(
            String(decoding: revoked, as: UTF8.self) == "event: auth_revoked\ndata: credential is no longer valid\n\n")
    }
}
