/// Small values as text.
extension RecordBook {
    package func text(_ name: String) throws -> String? { try value(name).map { String(decoding: $0, as: UTF8.self) } }

    package func setText(_ name: String, _ text: String) throws { try setValue(name, Array(text.utf8)) }

    /// What was said last of something that holds or does not; false where nothing was.
    func isNoted(_ name: String) throws -> Bool { try text(name)?.isEmpty == false }

    func setNoted(_ name: String, _ isNoted: Bool) throws { try setText(name, isNoted ? "yes" : "") }

    /// The words of a list; none where it was never set.
    func lines(_ name: String) throws -> [String] { try text(name)?.split(separator: "\n").map(String.init) ?? [] }

    func setLines(_ name: String, _ lines: [String]) throws { try setText(name, lines.joined(separator: "\n")) }
}
