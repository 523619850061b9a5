package import SyncModel

/// Which records a list shows, as `where` spells it.
///
/// Terms joined by `,`, all of which must hold: `hasWatched=true` (the field is that value) or `title~alien` (the
/// field's text contains that, in any case). A value is a JSON literal (`true`, `null`, `1979`) where the field is not
/// a string; a field that is missing counts as `null`. A `,` or `\` in a value is written `\,` and `\\`.
package struct RecordFilter: Hashable, Sendable {
    package enum Comparison: Hashable, Sendable { case equals, contains }

    package struct Term: Hashable, Sendable {
        package var field: String
        package var comparison: Comparison
        package var text: String

        package init(_ field: String, _ comparison: Comparison, _ text: String) {
            self.field = field
            self.comparison = comparison
            self.text = text
        }
    }

    package var terms: [Term]

    package init(_ terms: [Term] = []) { self.terms = terms }

    /// Every record.
    package static let all = RecordFilter()

    /// Whether a record with these fields is shown.
    package func matches(_ fields: [String: JSONValue]) -> Bool {
        terms.allSatisfy { $0.holds(for: fields[$0.field] ?? .null) }
    }
}

extension RecordFilter: CustomStringConvertible {
    /// Reads the text form; the empty text is ``all``.
    ///
    /// - Throws: a ``ControlError`` with status 400 and the term that can't be read.
    package init(parsing text: String) throws(ControlError) {
        var terms: [Term] = []
        for part in RecordFilter.parts(of: text) where !(part.isEmpty && text.isEmpty) {
            guard let sign = part.firstIndex(where: { $0 == "=" || $0 == "~" }), sign != part.startIndex else {
                throw .badRequest("badWhere", "'\(part)' is no filter: write field=value or field~text")
            }
            let value = String(part[part.index(after: sign)...])
            terms.append(Term(String(part[..<sign]), part[sign] == "=" ? .equals : .contains, value))
        }
        self.init(terms)
    }

    /// What ``init(parsing:)`` reads back.
    package var description: String {
        terms.map { term in
            let value = term.text.flatMap { $0 == "," || $0 == "\\" ? ["\\", $0] : [$0] }
            return term.field + (term.comparison == .equals ? "=" : "~") + String(value)
        }
        .joined(separator: ",")
    }

    private static func parts(of text: String) -> [String] {
        var parts = [""]
        var escaped = false
        for character in text {
            if escaped {
                parts[parts.count - 1].append(character)
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if character == "," {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }
}

extension RecordFilter.Term {
    fileprivate func holds(for value: JSONValue) -> Bool {
        switch (comparison, value) {
        case (.contains, .string(let found)): found.lowercased().contains(text.lowercased())
        case (.contains, _): false
        case (.equals, .string(let found)): found == text
        case (.equals, .bool(let found)): text == String(found)
        case (.equals, .integer(let found)): Double(text) == Double(found)
        case (.equals, .number(let found)): Double(text) == found
        case (.equals, .null): text == "null"
        case (.equals, .array), (.equals, .object): false
        }
    }
}
