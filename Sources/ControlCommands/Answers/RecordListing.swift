internal import ControlAPI
internal import SyncModel

/// A list of records that comes page by page, of any length.
///
/// What is short, or is to be grouped, is held until its end and sorted by title. Of what is longer each page is shown as
/// it comes, in the order of ids, in the columns of the first records.
struct RecordListing {
    /// So many records are held.
    static let mostHeld = 5_000

    let schema: CollectionSchema
    let group: String?
    let style: Style
    private var held: [RecordReply] = []
    private var shown: (layout: RecordsLayout, table: Table, widths: [Int])?

    init(_ schema: CollectionSchema, group: String?, _ style: Style) {
        self.schema = schema
        self.group = group
        self.style = style
    }

    /// What is to be shown before the next page comes; empty where that is nothing.
    mutating func take(_ page: [RecordReply]) -> String {
        if let shown {
            let rows = page.map { shown.layout.row(of: $0, style) }
            return shown.table.lines(rows, shown.widths, style)
        }
        held += page
        guard group == nil, held.count > RecordListing.mostHeld else { return "" }
        let layout = RecordsLayout(schema, held, somePending: true)
        var table = layout.table(of: held, style)
        let text = table.text(style)
        let widths = table.fitted(to: style.width)
        held = []
        table.rows = []
        shown = (layout, table, widths)
        return text
    }

    /// What is to be shown when there are no more pages.
    func end() -> String {
        shown == nil ? RecordsAnswer(schema: schema, records: held, group: group).text(style) : ""
    }
}

/// The same as JSON: what ``RecordsAnswer`` has as its reply, without holding it.
struct RecordListingJSON {
    private var isFirst = true
    private var hasBegun = false

    /// The text of a page, of which `records` is the JSON with commas between them; that of the first page has what stands
    /// before it.
    mutating func take(_ records: some Collection<UInt8>) -> [UInt8] {
        var text = hasBegun ? [] : Array("{\"items\":[".utf8)
        hasBegun = true
        guard !records.isEmpty else { return text }
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        text.append(contentsOf: records)
        return text
    }

    /// What stands behind the last page.
    func end() -> [UInt8] { Array("],\"next\":null}".utf8) }
}
