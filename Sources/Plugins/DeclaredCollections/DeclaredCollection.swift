internal import PluginKit
package import SyncModel

/// A collection that behaves as its declaration says.
package struct DeclaredCollection: CollectionPlugin {
    package let declaration: CollectionDeclaration
    /// Compiled in, and not read from a file.
    private let isBuiltIn: Bool
    /// The fields in the order they are looked at: the one that names a record first.
    private let order: [String]

    /// - Parameter isBuiltIn: whether it is compiled in: all nodes have the same then, and people say whether they want it.
    package init(_ declaration: CollectionDeclaration, isBuiltIn: Bool = false) {
        self.declaration = declaration
        self.isBuiltIn = isBuiltIn
        order = declaration.fields.keys.sorted { left, right in
            let title = declaration.titleField
            return (left != title ? 1 : 0, left) < (right != title ? 1 : 0, right)
        }
    }

    package var id: CollectionID { declaration.id }
    package var columns: [String] { declaration.columns }
    package var titleField: String { declaration.titleField }
    package var defaults: [String: JSONValue] { declaration.fields.compactMapValues(\.defaultValue) }
    package var textFields: Set<String> {
        Set(declaration.fields.filter { $0.value.kind == .text || $0.value.kind == .date }.keys)
    }
    package var mergeRules: [String: FieldRule] {
        declaration.fields.mapValues(\.merge).filter { $0.value != .last }
    }
    package var key: KeyTemplate { declaration.key }
    package var declarationDigest: String? { isBuiltIn ? nil : declaration.digest }
    package var isEnabledByDefault: Bool { !isBuiltIn }

    package func identityFields(_ id: RecordID) -> [String: JSONValue] {
        Dictionary(declaration.identity.map { ($0, .string(id.description)) }) { first, _ in first }
    }

    package func validated(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        try read(fields) { field, value, name throws(Defect) in try field.checked(value, name) }
    }

    package func normalized(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        try read(fields) { field, value, name throws(Defect) in try field.understood(value, name) }
    }

    /// - Parameter reading: gives nil for a value that means that there is none.
    private func read(
        _ fields: [String: JSONValue],
        _ reading: (FieldDeclaration, JSONValue, String) throws(Defect) -> JSONValue?
    ) throws(Defect) -> [String: JSONValue] {
        var fields = fields
        for name in order {
            guard let field = declaration.fields[name] else { continue }
            var value: JSONValue?
            if let there = fields[name], !field.isNothing(there) { value = try reading(field, there, name) }
            value = value ?? field.defaultValue
            guard value != nil || !field.isRequired else {
                throw Defect(.missingKey, "the \(declaration.noun) has no \"\(name)\"")
            }
            fields[name] = value
        }
        for name in declaration.identity { fields[name] = nil }
        return fields
    }
}
