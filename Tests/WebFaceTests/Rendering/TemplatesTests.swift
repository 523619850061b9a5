import Testing

@testable import WebFace

struct TemplatesTests {
    @Test(arguments: [
        ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"), ("a & b", "a &amp; b"),
        ("\"quoted\" 'so'", "&quot;quoted&quot; &#39;so&#39;"),
        // A quotation mark with an accent on it is one character to people, and two to a browser.
        ("\"\u{301} onclick=1", "&quot;\u{200B}\u{301} onclick=1"), ("<\u{FE0F}b", "&lt;\u{200B}\u{FE0F}b"),
        ("{{title}}", "{{title}}"),
    ])
    func `text is escaped wherever it stands`(text: String, escaped: String) throws {
        let found = try Templates().render(.line, ["level": "ok", "text": .text(text)])
        #expect(found.contains("> \(escaped)</p>") || found.contains("</span> \(escaped)</p>"))
    }

    @Test(arguments: Templates.Name.allCases)
    func `every template renders without anything`(name: Templates.Name) throws {
        #expect(!(try Templates().render(name, Model()).contains("{{")))
    }
}
