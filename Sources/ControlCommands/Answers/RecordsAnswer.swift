internal import ControlAPI
internal import SyncModel

/// Many records as a table, in groups where the person wants them.
struct RecordsAnswer: Answer {
    var schema: CollectionSchema
    var records: [RecordReply]
    /// The field to group by.
    var group: String?

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
        let layout = RecordsLayout(schema, self.records, somePending: records.contains(where: \.pending))
        return layout.table(of: layout.sorted(records), style).text(style)
    }
}
