/// What a change of the feed put an end to, and who made it: what a history tells and an undo takes back.
public struct ChangePast: Hashable, Sendable {
    /// Who set a field.
    public enum Author: Hashable, Sendable, CustomStringConvertible {
        /// A program that writes no stamps.
        case app
        case node(NodeID)

        public var description: String {
            switch self {
            case .app: "app"
            case .node(let node): node.description
            }
        }

        /// Reads the text form.
        public init?(_ text: String) {
            if text == "app" {
                self = .app
            } else if let node = NodeID(text) {
                self = .node(node)
            } else {
                return nil
            }
        }
    }

    /// The fields that changed, with their values before; null for one that was not there. All fields of a deleted record.
    public var was: [String: JSONValue]
    /// Who set which field, where it is not the node of the version's stamp; `""` stands for all that are not named.
    public var authors: [String: Author]

    public init(was: [String: JSONValue], authors: [String: Author] = [:]) {
        self.was = was
        self.authors = authors
    }
}

extension Change {
    /// Who set a field, or `""`: who made the change.
    public func author(of field: String = "") -> ChangePast.Author {
        past?.authors[field] ?? past?.authors[""] ?? .node(version.stamp.node)
    }
}
