internal import Mustache

/// How text is escaped in pages: each code point that HTML knows, by itself.
///
/// Mustache's own way goes by characters as people see them: a `<` with an accent on it, or behind a sign that belongs to what
/// follows it, is another one to it, but a `<` to a browser.
struct MarkupEscaping: MustacheContentType {
    /// The beginning of a template whose text is escaped so.
    static let pragma = "{{% CONTENT_TYPE: MARKUP}}"

    static func register() { MustacheContentTypes.register(MarkupEscaping(), named: "MARKUP") }

    func escapeText(_ text: String) -> String {
        var result = ""
        result.unicodeScalars.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": result.unicodeScalars.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.unicodeScalars.append(contentsOf: "&gt;".unicodeScalars)
            case "&": result.unicodeScalars.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": result.unicodeScalars.append(contentsOf: "&quot;".unicodeScalars)
            case "'": result.unicodeScalars.append(contentsOf: "&#39;".unicodeScalars)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
