internal import ControlAPI
internal import SyncModel

/// A list of records that comes page by page, of any length.
///
/// What is short, or is to be sorted or grouped, is held until its end. Of what is longer each page is shown as it comes,
/// in the order of ids, in the columns of the first records.
struct RecordListing {
    /// So many records are held.
    static let mostHeld = 5_000

    let schema: CollectionSchema
    let order: RecordOrder
    let style: Style
    /// Which records are shown; the others are known by their ids alone, so that those can be shortened.
    let choice: RecordChoice
    /// What stands for films that have a mark.
    let favourites: Set<String>
    private var held: [RecordReply] = []
    private var ids: [String] = []
    private var count = 0
    private var shown: (layout: RecordsLayout, columns: [Table.Column], places: TableLayout)?
    private var leftOut: Set<Int> = []

    init(
        _ schema: CollectionSchema, _ order: RecordOrder, _ choice: RecordChoice = RecordChoice(),
        favourites: Set<String> = [], style: Style
    ) {
        self.favourites = favourites
        self.schema = schema
        self.order = order
        self.choice = choice
        self.style = style
    }

    /// What is to be shown before the next page comes; empty where that is nothing.
    mutating func take(_ page: [RecordReply]) -> String {
        let page = filtered(page)
        if let shown {
            let rows = limited(page).map { shown.layout.row(of: $0, style) }
            return shown.places.lines(rows, shown.columns, style, &leftOut).joined(separator: "\n")
        }
        held += page
        guard order.isAny, held.count > RecordListing.mostHeld else { return "" }
        let first = limited(held)
        let layout = RecordsLayout(schema, first, order, somePending: true, .whole, favourites: favourites, style)
        let table = layout.table(of: first, style)
        let places = TableLayout(of: table, room: style.width)
        held = []
        shown = (layout, table.columns, places)
        let heading = places.line(table.columns.map { .init($0.title, .strong) }, table.columns, style)
        return ([heading] + places.lines(table.rows, table.columns, style, &leftOut)).joined(separator: "\n")
    }

    private mutating func filtered(_ page: [RecordReply]) -> [RecordReply] {
        // Only a terminal has short ids.
        if style.width != nil, ids.count <= 1_000_000 { ids += page.map(\.id) }
        return choice.isAll ? page : page.filter(choice.includes)
    }

    private mutating func limited(_ records: [RecordReply]) -> [RecordReply] {
        defer { count += records.count }
        return Array(records.prefix(max(0, (order.limit ?? .max) - count)))
    }

    /// Whether no further page can show anything.
    var isFull: Bool { shown != nil && count >= order.limit ?? .max }

    /// What is to be shown when there are no more pages.
    func end() -> String {
        if let shown { return shown.places.note(leftOut, shown.columns, style) ?? "" }
        var answer = RecordsAnswer(schema: schema, records: held, order: order)
        answer.isFiltered = !choice.isAll
        answer.favourites = favourites
        if style.width != nil { answer.ids = ShortIDs(of: ids) }
        return answer.text(style)
    }
}

/// A list as JSON that comes page by page: what ``Page`` is, without holding it.
struct ListingJSON {
    private var isFirst = true
    private var hasBegun = false

    /// The text of a page, of which `items` is the JSON with commas between them; that of the first page has what stands
    /// before it.
    mutating func take(_ items: some Collection<UInt8>) -> [UInt8] {
        var text = hasBegun ? [] : Array("{\"items\":[".utf8)
        hasBegun = true
        guard !items.isEmpty else { return text }
        if !isFirst { text.append(UInt8(ascii: ",")) }
        isFirst = false
        text.append(contentsOf: items)
        return text
    }

    /// What stands behind the last page.
    func end() -> [UInt8] { Array("],\"next\":null}".utf8) }
}
