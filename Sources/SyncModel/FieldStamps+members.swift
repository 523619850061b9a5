extension FieldStamps {
    // By bytes, because a member may begin with what makes one character with the slash before it.
    private static let slash = UInt8(ascii: "/")

    /// The name under which the stamp of a set's member stands.
    package static func member(_ member: String, of field: String) -> String { field + "/" + member }

    /// The field and the member that a stamp is named for; nil where it is the field's own.
    package static func parts(of name: String) -> (field: Substring, member: String)? {
        guard let place = name.utf8.firstIndex(of: slash) else { return nil }
        return (name[..<place], String(name[name.utf8.index(after: place)...]))
    }

    /// The field that a stamp is named for, or for a member of.
    package static func field(of name: String) -> String {
        name.utf8.firstIndex(of: slash).map { String(name[..<$0]) } ?? name
    }
}
