internal import ControlAPI
internal import SyncModel

/// What an order does to records, as a table.
struct RecordChangesTable {
    var records: [RecordChangeReply]
    /// How many there are in all.
    var count: Int

    func lines(_ style: Style) -> [String] {
        guard !records.isEmpty else { return [] }
        var table = Table([
            .init("title", .cutLast, .most), .init("id", .whole, .much), .init("what", .cutLast, .much),
            .init("fields", .cutFirst),
        ])
        for record in records {
            table.add([
                .init(record.title), .init(record.id, .faint), .init(record.what),
                .init(RecordChangesTable.fields(from: record.before, to: record.after)),
            ])
        }
        let rest = count - records.count
        return [table.text(style)] + (rest > 0 ? ["and \(Formatted.count(rest)) more"] : [])
    }

    /// `hasWatched: false -> true, year: 1979 -> (none)`; empty where a record comes or goes as a whole.
    static func fields(from before: [String: JSONValue], to after: [String: JSONValue]) -> String {
        func shown(_ value: JSONValue?) -> String { value.map { Formatted.value($0) } ?? "(none)" }
        guard !before.isEmpty || !after.isEmpty else { return "" }
        return Set(before.keys).union(after.keys).sorted().map { name in
            "\(name): \(shown(before[name])) -> \(shown(after[name]))"
        }
        .joined(separator: ", ")
    }
}
