internal import ControlAPI
internal import SyncModel

/// Many records as a table, in groups where the person wants them.
struct RecordsAnswer: Answer {
    var schema: CollectionSchema
    var records: [RecordReply]
    /// The field to group by.
    var group: String?

    /// More columns than these help nobody.
    private static let maxFields = 4

    var reply: Page<RecordReply> { Page(items: records) }

    func text(_ style: Style) -> String {
        guard !records.isEmpty else { return style.isTerminal ? "\(schema.name): no records" : "" }
        guard let group else { return table(of: records, style) }
        let groups = Dictionary(grouping: records) { groupName($0.fields[group], of: group) }
        return groups.sorted { $0.key < $1.key }.map { name, members in
            style.paint("\(Printable.text(name)) (\(Formatted.count(members.count)))", .strong) + "\n"
                + table(of: members, style)
        }
        .joined(separator: "\n\n")
    }

    private func groupName(_ value: JSONValue?, of field: String) -> String {
        if field == schema.mark, let name = schema.markName { return value?.truth == true ? name : "not \(name)" }
        return "\(field): \(value.map { Formatted.value($0) } ?? "-")"
    }

    private func table(of records: [RecordReply], _ style: Style) -> String {
        let fields = shownFields()
        let somePending = records.contains(where: \.pending)
        var columns: [Table.Column] = schema.mark == nil ? [] : [.init("✓")]
        columns += [.init(schema.titleField, .cutLast), .init("id")] + fields.map { .init($0, .cutFirst) }
        if somePending { columns.append(.init("")) }
        var table = Table(columns)
        let titled = records.map { (title: title(of: $0).lowercased(), record: $0) }
        for (_, record) in titled.sorted(by: { $0.title < $1.title }) {
            var cells = schema.mark.map { [markCell(record.fields[$0])] } ?? []
            cells += [.init(title(of: record)), .init(Formatted.shortID(record.id, style), .faint)]
            cells += fields.map { .init(Formatted.value(record.fields[$0])) }
            if somePending { cells.append(.init(record.pending ? "pending" : "", .warning)) }
            table.add(cells)
        }
        return table.text(style)
    }

    private func title(of record: RecordReply) -> String { Formatted.value(record.fields[schema.titleField]) }

    private func markCell(_ value: JSONValue?) -> Table.Cell {
        value?.truth == true ? .init("✓", .good) : .init("·", .faint)
    }

    /// The fields besides the title and the mark: the columns that some record has, then what most records have.
    private func shownFields() -> [String] {
        var counts: [String: Int] = [:]
        for record in records { for field in record.fields.keys { counts[field, default: 0] += 1 } }
        for field in [schema.titleField, schema.mark].compactMap(\.self) + schema.identityFields { counts[field] = nil }
        let columns = schema.columns.filter { counts[$0] != nil }
        for field in columns { counts[field] = nil }
        let others = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        return Array((columns + others).prefix(max(RecordsAnswer.maxFields, columns.count)))
    }
}
