internal import FoundationEssentials
internal import SyncModel

/// Reads the values of sources that spell "not known" in many ways.
enum SourceText {
    /// A text that says something: trimmed, without marks of writing direction at its ends; nil for all that means nothing.
    static func text(_ value: JSONValue?) -> String? {
        guard let text = value?.text else { return nil }
        let trimmed = String(text.trimmed)
        return ["", "N/A", "null"].contains(trimmed) ? nil : trimmed
    }

    /// A whole number, also one in a string (`"1,234"`); nil for 0, which sources write where they know none.
    static func count(_ value: JSONValue?) -> Int64? {
        let number = value?.whole ?? text(value).flatMap { Int64($0.filter { $0 != "," }) }
        return number == 0 ? nil : number
    }

    /// The year that a date or a span begins with: `1979-05-25`, `2011–2019`, `"1999"`.
    static func year(_ value: JSONValue?) -> Int64? {
        guard let digits = text(value)?.prefix(4), digits.count == 4, digits.allSatisfy(\.isWholeNumber) else {
            return nil
        }
        return Int64(digits).flatMap { $0 == 0 ? nil : $0 }
    }

    /// A list in one text: `"Ridley Scott, James Cameron"`.
    static func list(_ value: JSONValue?) -> [String] {
        (text(value)?.split(separator: ",") ?? []).map { String($0.trimmed) }.filter { !$0.isEmpty }
    }
}

extension StringProtocol {
    /// Without white space and marks of writing direction at its ends.
    fileprivate var trimmed: SubSequence {
        func isEmpty(_ character: Character) -> Bool {
            character.isWhitespace || character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .format }
        }
        let start = drop(while: isEmpty)
        guard let last = start.lastIndex(where: { !isEmpty($0) }) else { return start }
        return start[...last]
    }
}
