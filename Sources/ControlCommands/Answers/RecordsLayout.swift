internal import ControlAPI
internal import SyncModel

/// Which columns a table of records has, and what stands in them.
///
/// In a pipe it is the same for programs: the id first, whole, and every value as it is.
struct RecordsLayout {
    let schema: CollectionSchema
    private let fields: [String]
    private let somePending: Bool
    private let ids: ShortIDs
    private let order: RecordOrder
    private let isTabbed: Bool
    /// What stands for the films that have a mark.
    private let favourites: Set<String>

    /// More columns than these help nobody.
    private static let maxFields = 4

    /// - Parameters:
    ///   - records: they tell which fields are worth a column.
    ///   - somePending: whether there is a column for what is pending.
    ///   - favourites: what stands for films in keys; there is a column where there are any.
    init(
        _ schema: CollectionSchema, _ records: [RecordReply], _ order: RecordOrder, somePending: Bool, _ ids: ShortIDs,
        favourites: Set<String> = [], _ style: Style
    ) {
        self.favourites = favourites
        self.schema = schema
        self.somePending = somePending
        self.ids = ids
        self.order = order
        isTabbed = style.isTabbed
        fields = order.columns ?? RecordsLayout.shownFields(of: records, schema)
    }

    func table(of records: [RecordReply], _ style: Style) -> Table {
        var table = Table(columns)
        for record in records { table.add(row(of: record, style)) }
        return table
    }

    private var columns: [Table.Column] {
        if isTabbed { return (["id"] + tabbedFields + ["pending"]).map { .init($0) } }
        var columns: [Table.Column] = []
        if order.columns == nil {
            if schema.mark != nil { columns.append(.init("✓", .whole, .most)) }
            if !favourites.isEmpty { columns.append(.init("♥", .whole, .most)) }
            columns.append(.init(schema.titleField, .cutLast, .most))
        }
        columns.append(.init("id", .whole, .most))
        columns += fields.map {
            .init($0, $0 == schema.titleField ? .cutLast : .cutFirst, $0 == schema.titleField ? .most : .some)
        }
        if somePending { columns.append(.init("", .whole, .much)) }
        return columns
    }

    private var tabbedFields: [String] {
        if let columns = order.columns { return columns }
        return [schema.titleField] + [schema.mark].compactMap(\.self) + fields
    }

    func row(of record: RecordReply, _ style: Style) -> [Table.Cell] {
        if isTabbed {
            let values = tabbedFields.map { Table.Cell(Formatted.value(record.fields[$0])) }
            return [.init(record.id)] + values + [.init(record.pending ? "pending" : "")]
        }
        var cells: [Table.Cell] = []
        if order.columns == nil {
            cells += schema.mark.map { [markCell(record.fields[$0])] } ?? []
            if !favourites.isEmpty {
                cells.append(record.isAmong(favourites) ? .init("♥", .good) : .init("", .faint))
            }
            cells.append(.init(Formatted.value(record.fields[schema.titleField])))
        }
        cells.append(.init(style.width == nil ? record.id : ids.text(record.id), .faint))
        cells += fields.map {
            $0 == schema.mark ? markCell(record.fields[$0]) : .init(Formatted.value(record.fields[$0]))
        }
        if somePending { cells.append(.init(record.pending ? "pending" : "", .warning)) }
        return cells
    }

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
