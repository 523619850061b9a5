import Testing

@testable import WebFace

struct TemplatesTests {
    @Test(arguments: [
        ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"), ("a & b", "a &amp; b"),
        ("\"quoted\" 'so'", "&quot;quoted&quot; &#39;so&#39;"),
        // A quotation mark with an accent on it is one character to people, and two to a browser.
        ("\"\u{301} onclick=1", "&quot;\u{301} onclick=1"), ("<\u{FE0F}b", "&lt;\u{FE0F}b"),
        // So is one behind a sign that belongs to what follows it.
        ("\u{600}<form>", "\u{600}&lt;form&gt;"), ("\u{110BD}\"x", "\u{110BD}&quot;x"),
        ("L'\u{E9}t\u{E9} & l'\u{6DD}'", "L&#39;\u{E9}t\u{E9} &amp; l&#39;\u{6DD}&#39;"),
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
