internal import ControlAPI
internal import SyncModel

/// Which of the records a list shows, in what order, with which columns.
struct RecordOrder: Hashable, Sendable {
    /// The field to group by.
    var group: String?
    /// The field to sort by; the title where nothing says otherwise.
    var sort: String?
    /// Whether the last ones come first.
    var isReversed = false
    /// At most so many.
    var limit: Int?
    /// The fields to show, in this order; nil for those that most records have.
    var columns: [String]?

    /// The fields that are named, each of which some record must have.
    var fields: [String] { [group, sort].compactMap(\.self) + (columns ?? []) }

    /// Whether records can be shown as they come.
    var isAny: Bool { group == nil && sort == nil && !isReversed }

    /// The records in their order, as many as are wanted; those without the field to sort by come last.
    func arranged(_ records: [RecordReply], _ schema: CollectionSchema) -> [RecordReply] {
        let field = sort ?? schema.titleField
        let keyed = records.map { (key: SortKey($0.fields[field]), record: $0) }
        let missing = keyed.filter { $0.key == .missing }.map(\.record)
        var sorted = keyed.filter { $0.key != .missing }.sorted { $0.key < $1.key }.map(\.record)
        if isReversed { sorted.reverse() }
        return Array((sorted + missing).prefix(limit ?? .max))
    }
}

/// What a value is sorted by: Bools first, then numbers, then texts, whatever their case.
private enum SortKey: Comparable {
    case bool(Int)
    case number(Double)
    case text(String)
    case missing

    init(_ value: JSONValue?) {
        switch value {
        case nil, .null: self = .missing
        case .bool(let truth): self = .bool(truth ? 1 : 0)
        case .integer(let number): self = .number(Double(number))
        case .number(let number): self = .number(number)
        case .string(let text): self = .text(text.lowercased())
        case .array, .object: self = .text(Formatted.value(value))
        }
    }
}
