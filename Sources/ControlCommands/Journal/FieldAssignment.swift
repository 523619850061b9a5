internal import JSONText
internal import SyncModel

/// One `k=v` of the command line.
struct FieldAssignment: Hashable, Sendable {
    let field: String
    let value: JSONValue

    /// Reads `k=v`: the value as JSON where it is JSON, else as a string.
    ///
    /// - Parameter textFields: fields that hold text even where it looks like a number: `title=1917`. Of JSON they take
    ///   `null` and strings.
    /// - Throws: a failure where there is no `=`, or the database can't store such a field.
    init(_ text: String, textFields: [String]) throws(CommandFailure) {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw CommandFailure(.usage, "'\(text)' is not a field; write name=value")
        }
        field = String(text[..<sign])
        let text = String(text[text.index(after: sign)...])
        var json = try? JSONReader.value(text.utf8)
        // A database keeps numbers as doubles: of one with so many digits most would be lost.
        if case .number = json, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }) { json = nil }
        if textFields.contains(field), let other = json, other != .null, other.text == nil { json = nil }
        value = json ?? .string(text)
        do throws(Defect) {
            try FieldRules.check([field: value])
        } catch {
            throw CommandFailure(.usage, error.message)
        }
    }
}

extension [String: JSONValue] {
    /// The fields that `k=v` texts name, each once.
    init(assignments: [String], in collection: CollectionSchema) throws(CommandFailure) {
        self.init()
        for text in assignments {
            let assignment = try FieldAssignment(text, textFields: collection.textFields)
            guard !collection.identityFields.contains(assignment.field) else {
                throw CommandFailure(.usage, "'\(assignment.field)' is made of the record's id, and can't be set")
            }
            guard self[assignment.field] == nil else {
                throw CommandFailure(.usage, "'\(assignment.field)' is given more than once: give it one value")
            }
            self[assignment.field] = assignment.value
        }
    }

    /// Throws where a record would lose the field that names it, which every record has.
    func checkName(in collection: CollectionSchema) throws(CommandFailure) {
        guard case .null? = self[collection.titleField] else { return }
        throw CommandFailure(
            .badData, "every record of \(collection.name) has a '\(collection.titleField)': it can't be removed")
    }
}
