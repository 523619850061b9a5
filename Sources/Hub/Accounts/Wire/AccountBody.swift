internal import JSONText
package import SyncModel

/// The members of a call's body. A member that is null is not there.
package struct AccountBody: Sendable {
    private let members: [String: JSONValue]

    package init(_ members: [String: JSONValue] = [:]) { self.members = members.filter { $0.value != .null } }

    func has(_ name: String) -> Bool { members[name] != nil }

    subscript(_ name: String) -> JSONValue? { members[name] }

    /// A text that may be empty. Throws where there is something else than a text.
    package func text(_ name: String) throws(AccountRefusal) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.text else { throw AccountBody.wrong(value, name, "TYPE_STRING") }
        return text
    }

    /// A text with something in it.
    package func words(_ name: String) throws(AccountRefusal) -> String? {
        let text = try text(name)
        return text?.isEmpty == true ? nil : text
    }

    package func truth(_ name: String) throws(AccountRefusal) -> Bool? {
        guard let value = members[name] else { return nil }
        switch value {
        case .bool(let truth): return truth
        case .string("true"): return true
        case .string("false"): return false
        default: throw AccountBody.wrong(value, name, "TYPE_BOOL")
        }
    }

    /// A whole number, which may come as text.
    package func whole(_ name: String) throws(AccountRefusal) -> Int64? {
        guard let value = members[name] else { return nil }
        guard let whole = value.whole ?? value.text.flatMap({ Int64($0) }) else {
            throw AccountBody.wrong(value, name, "TYPE_INT64")
        }
        return whole
    }

    /// A whole number that has two names.
    func whole(_ name: String, or other: String) throws(AccountRefusal) -> Int64? {
        members[name] == nil ? try whole(other) : try whole(name)
    }

    /// Texts, or a single one.
    func texts(_ name: String) throws(AccountRefusal) -> [String] {
        switch members[name] {
        case nil: return []
        case .string(let text)?: return [text]
        case .array(let elements)?:
            return try elements.map { element throws(AccountRefusal) in
                guard let text = element.text else { throw AccountBody.wrong(element, name, "TYPE_STRING") }
                return text
            }
        case .some(let value): throw AccountBody.wrong(value, name, "TYPE_STRING")
        }
    }

    func objects(_ name: String) throws(AccountRefusal) -> [AccountBody] {
        guard let value = members[name] else { return [] }
        guard case .array(let elements) = value else { throw AccountBody.wrong(value, name, "TYPE_MESSAGE") }
        return try elements.map { element throws(AccountRefusal) in
            guard let members = element.members else { throw AccountBody.wrong(element, name, "TYPE_MESSAGE") }
            return AccountBody(members)
        }
    }

    func object(_ name: String) throws(AccountRefusal) -> AccountBody? {
        guard let value = members[name] else { return nil }
        guard let members = value.members else { throw AccountBody.wrong(value, name, "TYPE_MESSAGE") }
        return AccountBody(members)
    }

    /// Says which member is wrong; what stands in it might be a secret, and is not repeated.
    private static func wrong(_ value: JSONValue, _ name: String, _ type: String) -> AccountRefusal {
        AccountRefusal("Invalid value at '\(name)' (\(type)), \(value.kind)", status: "INVALID_ARGUMENT")
    }
}
