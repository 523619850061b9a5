import Testing

@testable import DatabaseServer

@Suite struct TwoPartsTests {
    static func body(json: String, _ content: [UInt8], boundary: String) -> [UInt8] {
        Array("--\(boundary)\r\nContent-Type: application/json; charset=utf-8\r\n\r\n\(json)\r\n".utf8)
            + Array("--\(boundary)\r\nContent-Type: image/png\r\n\r\n".utf8) + content
            + Array("\r\n--\(boundary)--".utf8)
    }

    @Test func `two parts are told apart, whatever the picture holds`() throws {
        let contents: [[UInt8]] = [[], [1, 2, 3], Array("\r\n--b\r\n\r\n".utf8), Array("\r\n".utf8)]
        for content in contents {
            let body = TwoPartsTests.body(json: #"{"a":1}"#, content, boundary: "b")
            for end in ["", "\r\n", "\n"] {
                let parts = try #require(TwoParts(body + Array(end.utf8), boundary: "b"))
                #expect(parts.json == Array(#"{"a":1}"#.utf8))
                #expect(Array(parts.content) == content)
            }
        }
    }

    @Test(arguments: [
        "", "--b", "--b--", "--b\r\n\r\n{}\r\n--b--", "--b\r\n\r\n{}\r\n--b\r\nx\r\n--b--",
        "--b\r\n\r\n{}\r\n--b\r\n\r\nx", "x--b\r\n\r\n{}\r\n--b\r\n\r\nx\r\n--b--",
        "--c\r\n\r\n{}\r\n--c\r\n\r\nx\r\n--c--",
    ])
    func `what is not two parts is refused`(text: String) {
        #expect(TwoParts(Array(text.utf8), boundary: "b") == nil)
    }

    @Test(arguments: [
        ("multipart/related; boundary=a-b", "a-b"), ("Multipart/Related; type=x; Boundary=\"a b\"; c=d", "a b"),
        ("multipart/related", nil), ("multipart/related; boundary=", nil), ("image/png; boundary=a", nil),
    ])
    func `the boundary is what the type says`(type: String, boundary: String?) {
        #expect(TwoParts.boundary(in: type) == boundary)
    }
}
