import ControlAPI
import SyncModel
import Testing

@testable import WebFace

struct FormTests {
    private func form(_ text: String) throws -> Form { try Form(Query(text), person: "anna") }

    @Test(arguments: [
        ("/?show=watched&from=101", "/?show=watched&from=101"), ("//evil.example", "/"), ("/\\evil.example", "/"),
        ("https://evil.example", "/"), ("", "/"), ("/film/1\r\nX: y", "/"), ("/film/ü", "/"),
    ])
    func `a form leads back to a page of ours`(back: String, page: String) throws {
        let encoded = PercentEncoding.encoded(back)
        #expect(try form("back=\(encoded)").back(or: "/") == page)
    }

    @Test(arguments: [
        ("title=", nil), ("title=+%0A+", nil), ("title=+Alien%0D%0A+", "Alien"), ("title=a%0D%0Ab", "a\nb"),
        ("title=a%26b%3Dc", "a&b=c"), ("other=x", nil), ("title=%FF", nil),
    ])
    func `a text has no space at its ends`(text: String, value: String?) throws {
        #expect(try form(text).text("title") == value)
    }

    @Test(arguments: ["rating=0", "rating=11", "rating=ten", "rating=1e1"])
    func `a number out of range is refused`(text: String) throws {
        let form = try form(text)
        #expect(throws: ControlError.self) { try form.number("rating", 1...10) }
        #expect(try form.number("year", 1...10) == nil)
    }

    @Test
    func `a form for somebody else is refused`() throws {
        #expect(throws: ControlError.self) { try form("as=bob") }
        #expect(try form("as=anna").person == "anna")
    }
}
