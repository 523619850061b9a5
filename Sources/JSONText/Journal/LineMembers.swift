internal import SyncModel

/// The members of a journal line: told apart as they come, because each line has the same ones.
struct LineMembers {
    private(set) var op: JSONValue?
    private(set) var collection: JSONValue?
    private(set) var id: JSONValue?
    private(set) var fields: JSONValue?
    private(set) var at: JSONValue?
    private(set) var opID: JSONValue?
    private(set) var origin: JSONValue?
    private(set) var by: JSONValue?
    /// The keys that nobody knows.
    private(set) var unknown: Set<String> = []

    /// A name of which there is another one that is equal, and spelled with other characters.
    private(set) var ambiguousName: String?

    /// Nil where the line is no object.
    init?(_ tokens: inout JSONTokens) {
        guard case .object(let count) = tokens.next() else { return nil }
        for _ in 0..<count {
            let name = tokens.key()
            take(name, tokens.value())
        }
        ambiguousName = tokens.ambiguousName
    }

    /// Of two members with one name the last one counts.
    private mutating func take(_ name: String, _ value: JSONValue) {
        switch name {
        case "op": op = value
        case "collection": collection = value
        case "id": id = value
        case "fields": fields = value
        case "at": at = value
        case "opID": opID = value
        case "origin": origin = value
        case "by": by = value
        // Of the change feed, whose lines are operations too.
        case "seq", "stamp": break
        default: unknown.insert(name)
        }
    }
}
