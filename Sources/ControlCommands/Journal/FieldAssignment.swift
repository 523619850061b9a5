internal import JSONText
internal import SyncModel

/// One `k=v` of the command line.
struct FieldAssignment: Hashable, Sendable {
    let field: String
    let value: JSONValue

    /// Fields that hold text even where it looks like a number: `title=1917`.
    private static let texts: Set<String> = ["title", "name", "biography"]

    /// Reads `k=v`: the value as JSON where it is JSON, else as a string.
    ///
    /// - Throws: a failure where there is no `=`, or the database can't store such a field.
    init(_ text: String) throws(CommandFailure) {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else {
            throw CommandFailure(.usage, "'\(text)' is no field; write name=value")
        }
        field = String(text[..<sign])
        value = FieldAssignment.value(String(text[text.index(after: sign)...]), of: field)
        do throws(Defect) {
            try FieldRules.check([field: value])
        } catch {
            throw CommandFailure(.usage, error.message)
        }
    }

    private static func value(_ text: String, of field: String) -> JSONValue {
        guard !texts.contains(field), let value = try? JSONReader.value(text.utf8) else { return .string(text) }
        return value
    }
}

extension [String: JSONValue] {
    /// The fields that the assignments name; of two for one field, the last counts.
    init(_ assignments: [FieldAssignment]) {
        self.init(assignments.map { ($0.field, $0.value) }) { _, last in last }
    }
}
