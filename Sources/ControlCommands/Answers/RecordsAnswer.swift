internal import ControlAPI
internal import SyncModel

/// Many records as a table, in groups where the person wants them.
struct RecordsAnswer: Answer {
    var schema: CollectionSchema
    var records: [RecordReply]
    var order = RecordOrder()
    var ids = ShortIDs.whole
    /// Whether only some of the collection were asked for.
    var isFiltered = false
    /// What stands for films that have a mark.
    var favourites: Set<String> = []

    var reply: Page<RecordReply> { Page(items: order.arranged(records, schema)) }

    func text(_ style: Style) -> String {
        guard !records.isEmpty else {
            guard style.isTerminal else { return "" }
            return isFiltered ? "\(schema.name): no record matches" : "\(schema.name): no records"
        }
        let records = order.arranged(records, schema)
        guard let group = order.group else { return table(of: records, style) }
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
        let layout = RecordsLayout(
            schema, self.records, order, somePending: records.contains(where: \.pending), ids,
            favourites: favourites, style)
        return layout.table(of: records, style).text(style)
    }
}
