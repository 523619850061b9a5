public import PluginKit
public import SyncModel

/// Books: `title`, and perhaps `author`, `isbn` and whether somebody has read them.
public struct Books: CollectionPlugin {
    public init() {}

    public var id: CollectionID { "books" }
    public var columns: [String] { ["title", "author", "isRead"] }
    public var defaults: [String: JSONValue] { ["isRead": false] }
    public var textFields: Set<String> { ["title", "author", "isbn"] }

    public func validated(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        let fields = withDefaults(fields)
        for (name, value) in fields where textFields.contains(name) && value != .null && value.text == nil {
            throw Defect(.invalidValue, "\"\(name)\" is \(value.kind), not a string")
        }
        guard fields["title"]?.text?.isEmpty == false else {
            throw Defect(.missingKey, "the book has no \"title\"")
        }
        guard fields["isRead"]?.truth != nil else {
            throw Defect(.invalidValue, "\"isRead\" is not a Bool")
        }
        return fields
    }

    public func normalized(_ fields: [String: JSONValue]) throws(Defect) -> [String: JSONValue] {
        var fields = fields
        // Some apps write 0 and 1 for a Bool.
        switch fields["isRead"]?.whole {
        case 0: fields["isRead"] = false
        case 1: fields["isRead"] = true
        default: break
        }
        return try validated(fields)
    }
}
