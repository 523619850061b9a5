internal import JSONText
internal import PluginKit
internal import SyncModel

extension CollectionDeclaration {
    /// The most fields that one may declare.
    static let mostFields = 500
    /// The most fields that a key is made of.
    static let mostKeyParts = 4

    /// Reads the text of a file.
    ///
    /// - Parameter name: the file's name without `.json`, which is the collection's.
    /// - Throws: all that is wrong.
    package init(name: String, text: [UInt8]) throws(DeclarationRejected) {
        let value: JSONValue
        do {
            value = try JSONReader.value(text)
        } catch {
            throw DeclarationRejected(problems: [.init(path: [], message: "is no JSON: \(error)")])
        }
        var reading = DeclarationReading()
        let declaration = reading.collection(name, value)
        guard reading.problems.isEmpty, let declaration else {
            throw DeclarationRejected(problems: reading.problems)
        }
        self = declaration
    }
}

/// Reads a declaration, and gathers every problem on the way.
struct DeclarationReading {
    private static let keys = ["name", "noun", "titleField", "columns", "fields", "identity", "key"]
    private(set) var problems: [DeclarationProblem] = []

    mutating func complain(_ path: [String], _ message: String) {
        problems.append(DeclarationProblem(path: path, message: message.oneLine))
    }

    mutating func collection(_ name: String, _ value: JSONValue) -> CollectionDeclaration? {
        guard let members = value.members else {
            complain([], "is \(value.kind), not an object with \"fields\" and \"columns\"")
            return nil
        }
        complainOfUnknown(members, [], among: DeclarationReading.keys)
        guard let id = CollectionID(name) else {
            complain([], "has a name that no collection can have: use up to 64 of a-z, 0-9 and -, a letter first")
            return nil
        }
        if let said = members["name"], said.text != name {
            complain(["name"], "is \(said.shown), but the file is called \(name).json: make them equal")
        }
        let fields = self.fields(members["fields"])
        let columns = columns(members["columns"], fields)
        guard let first = columns.first else { return nil }
        let title = text(members, "titleField", []) ?? first
        checkTitle(title, columns, fields, isSaid: members["titleField"] != nil)
        return CollectionDeclaration(
            id: id, noun: text(members, "noun", []) ?? "record", titleField: title, columns: columns, fields: fields,
            identity: identity(members["identity"], fields), key: key(members["key"], fields))
    }

    mutating func complainOfUnknown(_ members: [String: JSONValue], _ path: [String], among known: [String]) {
        for key in members.keys.sorted() where !known.contains(key) {
            complain(path + [key], "is an unknown key" + NearestName.hint(for: key, among: known))
        }
    }

    /// The text at a key; nil, with a complaint, where it is anything else.
    mutating func text(_ members: [String: JSONValue], _ key: String, _ path: [String]) -> String? {
        guard let value = members[key], value != .null else { return nil }
        if let text = value.text, !text.isEmpty, text.utf8.count <= 100, text == text.oneLine { return text }
        complain(path + [key], "is \(value.shown), not a short text")
        return nil
    }

    private mutating func fields(_ value: JSONValue?) -> [String: FieldDeclaration] {
        guard let members = value?.members, !members.isEmpty else {
            complain(
                ["fields"], #"must have a key for each field, such as "title": {"type": "text", "required": true}"#)
            return [:]
        }
        if members.count > CollectionDeclaration.mostFields {
            complain(["fields"], "are \(members.count), more than \(CollectionDeclaration.mostFields)")
        }
        var fields: [String: FieldDeclaration] = [:]
        for name in members.keys.sorted() {
            checkName(name, ["fields", name])
            if let declared = field(members[name] ?? .null, ["fields", name]) { fields[name] = declared }
        }
        return fields
    }

    private mutating func checkName(_ name: String, _ path: [String]) {
        do {
            try FieldRules.check([name: true])
        } catch {
            complain(path, "can't be stored: \(error.message)")
        }
    }

    /// The texts of a list; nil, with a complaint, where it is anything else.
    private mutating func names(_ value: JSONValue?, _ path: [String], _ example: String) -> [String]? {
        guard case .array(let elements)? = value, elements.allSatisfy({ $0.text != nil }) else {
            complain(path, "must be a list of names, such as \(example)")
            return nil
        }
        let names = elements.compactMap(\.text)
        if let double = names.first(where: { name in names.count { $0 == name } > 1 }) {
            complain(path, "names \"\(double)\" twice")
        }
        return names
    }

    private mutating func columns(_ value: JSONValue?, _ fields: [String: FieldDeclaration]) -> [String] {
        guard let names = names(value, ["columns"], #"["title", "author"]"#) else { return [] }
        if names.isEmpty { complain(["columns"], "names no field: a list needs at least one") }
        for name in names where fields[name] == nil && !problems.contains(where: { $0.path.starts(with: ["fields"]) }) {
            complain(
                ["columns"],
                "names \"\(name)\", which is none of the fields"
                    + NearestName.hint(for: name, among: fields.keys.sorted()))
        }
        return names
    }

    /// The field that names a record is there in every one, and a text.
    private mutating func checkTitle(
        _ title: String, _ columns: [String], _ fields: [String: FieldDeclaration], isSaid: Bool
    ) {
        let path = isSaid ? ["titleField"] : ["columns"]
        if !columns.contains(title) { return complain(path, "is \"\(title)\", which is none of the columns") }
        guard let field = fields[title] else { return }
        if field.kind != .text || !field.isRequired || !field.absent.isEmpty {
            complain(
                ["fields", title],
                #"names the records, and must be {"type": "text", "required": true} without "absent"; "#
                    + #""titleField" names another one"#)
        }
    }

    /// What the keys are made of: fields that every record has, each a text or a whole number.
    private mutating func key(_ value: JSONValue?, _ fields: [String: FieldDeclaration]) -> KeyTemplate {
        guard let value, value != .null else { return .uuid }
        guard let names = names(value, ["key"], #"["film", "uid"]"#) else { return .uuid }
        if names.isEmpty || names.count > CollectionDeclaration.mostKeyParts {
            complain(
                ["key"], "names \(names.count) fields: name 1 to \(CollectionDeclaration.mostKeyParts), or leave it out"
            )
        }
        var parts: [KeyTemplate.Part] = []
        for name in names {
            guard let field = fields[name] else {
                complain(
                    ["key"],
                    "names \"\(name)\", which is none of the fields"
                        + NearestName.hint(for: name, among: fields.keys.sorted()))
                continue
            }
            guard field.kind == .text || field.kind == .integer, field.isRequired, field.merge == .last,
                field.absent.isEmpty
            else {
                complain(
                    ["fields", name],
                    #"is part of the key, and must be {"type": "text" or "integer", "required": true}, without "absent""#
                )
                continue
            }
            parts.append(KeyTemplate.Part(name, isInteger: field.kind == .integer))
        }
        return KeyTemplate(parts)
    }

    private mutating func identity(_ value: JSONValue?, _ fields: [String: FieldDeclaration]) -> [String] {
        guard let value, value != .null else { return [] }
        guard let names = names(value, ["identity"], #"["identifier"]"#) else { return [] }
        for name in names {
            checkName(name, ["identity"])
            if fields[name] != nil { complain(["identity"], "names \"\(name)\", which is one of the fields") }
        }
        return names
    }
}
