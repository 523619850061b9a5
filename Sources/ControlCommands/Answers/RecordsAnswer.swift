internal import ControlAPI
internal import SyncModel

/// Many records as a table, in groups where the person wants them.
struct RecordsAnswer: Answer {
    var collection: CollectionName
    var records: [RecordReply]
    /// The field to group by.
    var group: String?

    /// More columns than these help nobody.
    private static let maxFields = 4

    var reply: Page<RecordReply> { Page(items: records) }

    func text(_ style: Style) -> String {
        guard !records.isEmpty else { return style.isTerminal ? "\(collection): nothing to show" : "" }
        guard let group else { return table(of: records, style) }
        let groups = Dictionary(grouping: records) { RecordsAnswer.groupName($0.fields[group], of: group) }
        return groups.sorted { $0.key < $1.key }.map { name, members in
            style.paint("\(Printable.text(name)) (\(Words.count(members.count)))", .strong) + "\n"
                + table(of: members, style)
        }
        .joined(separator: "\n\n")
    }

    static func groupName(_ value: JSONValue?, of field: String) -> String {
        if field == "hasWatched" { return value?.truth == true ? "watched" : "not watched" }
        return "\(field): \(value.map { Words.value($0) } ?? "-")"
    }

    private func table(of records: [RecordReply], _ style: Style) -> String {
        let isMovies = records.contains { $0.fields["hasWatched"] != nil }
        let fields = shownFields()
        let somePending = records.contains(where: \.pending)
        var columns: [Table.Column] = isMovies ? [.init("✓")] : []
        columns.append(.init(collection.titleField, .cutLast))
        columns += [.init("id")] + fields.map { .init($0, .cutFirst) }
        if somePending { columns.append(.init("")) }
        var table = Table(columns)
        for record in records.sorted(by: { title(of: $0).lowercased() < title(of: $1).lowercased() }) {
            let watched = record.fields["hasWatched"]?.truth == true
            var cells: [Table.Cell] = isMovies ? [.init(watched ? "✓" : "·", watched ? .good : .faint)] : []
            cells += [.init(title(of: record)), .init(Words.shortID(record.id, style), .faint)]
            cells += fields.map { .init(Words.value(record.fields[$0])) }
            if somePending { cells.append(.init(record.pending ? "pending" : "", .warning)) }
            table.add(cells)
        }
        return table.text(style)
    }

    private func title(of record: RecordReply) -> String { Words.value(record.fields[collection.titleField]) }

    /// The fields most records have, besides the title and the mark.
    private func shownFields() -> [String] {
        var counts: [String: Int] = [:]
        for record in records { for field in record.fields.keys { counts[field, default: 0] += 1 } }
        for field in [collection.titleField, "hasWatched", "identifier"] { counts[field] = nil }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(RecordsAnswer.maxFields).map(\.key)
    }
}

/// One record with all its fields.
struct RecordAnswer: Answer {
    var reply: RecordReply

    func text(_ style: Style) -> String {
        var rows = reply.fields.sorted { $0.key < $1.key }.map { ($0.key, Printable.text(Words.value($0.value))) }
        rows.append(("id", reply.id))
        rows.append(("collection", reply.collection))
        rows.append(("stamp", reply.stamp))
        rows.append(("state", state(style)))
        let width = rows.map { Printable.width($0.0) }.max() ?? 0
        return rows.map { name, value in
            let name = Printable.text(name)
            return style.paint(name, .strong)
                + String(repeating: " ", count: max(0, width - Printable.width(name)) + 2) + value
        }
        .joined(separator: "\n")
    }

    private func state(_ style: Style) -> String {
        let what = reply.deleted ? "deleted, " : ""
        guard reply.pending else { return what + style.paint("the remote has it", .good) }
        return what + style.paint("pending", .warning) + (reply.reason.map { ": \(Printable.text($0))" } ?? "")
    }
}
