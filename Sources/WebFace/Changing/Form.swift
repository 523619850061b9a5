internal import ControlAPI

/// What somebody has filled in.
struct Form: Sendable {
    let fields: Query
    /// Who the person at the browser is.
    let person: String

    /// - Throws: where the form was made for somebody else: the person has changed in another tab.
    init(_ fields: Query, person: String) throws(ControlError) {
        if let meant = fields["as"], meant != person {
            throw ControlError(
                409, "otherPerson", "this form was for \(meant), and you are \(person) now: open it again")
        }
        self.fields = fields
        self.person = person
    }

    /// Whether a field was filled in otherwise than it was shown: what others have changed since stays as it is.
    ///
    /// - Parameter now: what stands there, for a form that does not say what it had shown.
    func isChanged(_ name: String, from now: @autoclosure () -> String?) -> Bool {
        let shown = "was-\(name)"
        return text(name) != (fields[shown] == nil ? now() : text(shown))
    }

    /// A text without space at its ends; nil where nothing is left.
    func text(_ name: String) -> String? {
        guard let text = fields[name] else { return nil }
        let isSpace = { (character: Character) in character.isWhitespace }
        var rest = text.replacing("\r\n", with: "\n")[...]
        rest = rest.drop(while: isSpace)
        while rest.last.map(isSpace) == true { rest.removeLast() }
        return rest.isEmpty ? nil : String(rest)
    }

    func flag(_ name: String) -> Bool { ["true", "on"].contains(fields[name]) }

    /// A whole number; nil where nothing was filled in.
    func number(_ name: String, _ range: ClosedRange<Int64>) throws(ControlError) -> Int64? {
        guard let text = text(name) else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw ControlError.badRequest(
                "badNumber", "the \(name) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The page to go back to: one of ours.
    func back(or other: String) -> String {
        guard let path = fields["back"], path.hasPrefix("/"), !path.hasPrefix("//"), !path.hasPrefix("/\\"),
            path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        else { return other }
        return path
    }
}
