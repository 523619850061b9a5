internal import ControlAPI
internal import SyncModel

/// Which columns a table of records has, and what stands in them.
struct RecordsLayout {
    let schema: CollectionSchema
    private let fields: [String]
    private let somePending: Bool

    /// More columns than these help nobody.
    private static let maxFields = 4

    /// - Parameters:
    ///   - records: they tell which fields are worth a column.
    ///   - somePending: whether there is a column for what is pending.
    init(_ schema: CollectionSchema, _ records: [RecordReply], somePending: Bool) {
        self.schema = schema
        self.somePending = somePending
        fields = RecordsLayout.shownFields(of: records, schema)
    }

    func sorted(_ records: [RecordReply]) -> [RecordReply] {
        let titled = records.map { (title: title(of: $0).lowercased(), record: $0) }
        return titled.sorted { $0.title < $1.title }.map(\.record)
    }

    func table(of records: [RecordReply], _ style: Style) -> Table {
        var columns: [Table.Column] = schema.mark == nil ? [] : [.init("✓")]
        columns += [.init(schema.titleField, .cutLast), .init("id")] + fields.map { .init($0, .cutFirst) }
        if somePending { columns.append(.init("")) }
        var table = Table(columns)
        for record in records { table.add(row(of: record, style)) }
        return table
    }

    func row(of record: RecordReply, _ style: Style) -> [Table.Cell] {
        var cells = schema.mark.map { [markCell(record.fields[$0])] } ?? []
        cells += [.init(title(of: record)), .init(Formatted.shortID(record.id, style), .faint)]
        cells += fields.map { .init(Formatted.value(record.fields[$0])) }
        if somePending { cells.append(.init(record.pending ? "pending" : "", .warning)) }
        return cells
    }

    private func title(of record: RecordReply) -> String { Formatted.value(record.fields[schema.titleField]) }

    private func markCell(_ value: JSONValue?) -> Table.Cell {
        value?.truth == true ? .init("✓", .good) : .init("·", .faint)
    }

    /// The fields besides the title and the mark: the columns that some record has, then what most records have.
    private static func shownFields(of records: [RecordReply], _ schema: CollectionSchema) -> [String] {
        var counts: [String: Int] = [:]
        // What has members of its own is for the view of a single record.
        for record in records {
            for (field, value) in record.fields where value.members == nil { counts[field, default: 0] += 1 }
        }
        for field in [schema.titleField, schema.mark].compactMap(\.self) + schema.identityFields { counts[field] = nil }
        let columns = schema.columns.filter { counts[$0] != nil }
        for field in columns { counts[field] = nil }
        let others = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
        return Array((columns + others).prefix(max(maxFields, columns.count)))
    }
}
