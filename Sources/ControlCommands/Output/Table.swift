/// Rows under headings, as wide as the terminal allows.
struct Table {
    /// Whose texts are cut where the terminal is narrow.
    enum Fit: Int {
        /// Never cut.
        case whole
        /// Cut when that is not enough elsewhere.
        case cutLast
        case cutFirst
    }

    struct Column {
        var title: String
        var isNumber: Bool
        var fit: Fit

        init(_ title: String, number: Bool = false, _ fit: Fit = .whole) {
            self.title = title
            isNumber = number
            self.fit = fit
        }
    }

    struct Cell {
        let text: String
        /// How many columns of a terminal it takes.
        let width: Int
        let ink: Style.Ink?

        /// `text` is made fit for a terminal.
        init(_ text: String, _ ink: Style.Ink? = nil) {
            self.text = Printable.text(text)
            width = Printable.width(self.text)
            self.ink = ink
        }

        func cut(to width: Int) -> Cell { Cell(Printable.cut(text, to: width), ink) }
    }

    var columns: [Column]
    var rows: [[Cell]] = []

    init(_ columns: [Column]) { self.columns = columns }

    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// The lines of the table. Columns that find no room at all are left out, the last ones first.
    func text(_ style: Style) -> String {
        let widths = fitted(to: style.width)
        let heading = columns.map { Cell($0.title, .strong) }
        return lines([heading] + rows, widths, style)
    }

    /// Lines for rows that come after those of the table; `widths` is what ``fitted(to:)`` gave.
    func lines(_ rows: [[Cell]], _ widths: [Int], _ style: Style) -> String {
        var out: [UInt8] = []
        for (index, row) in rows.enumerated() {
            if index > 0 { out.append(UInt8(ascii: "\n")) }
            append(row, widths, style, to: &out)
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static let gap = 2
    private static let narrowest = 8

    /// How wide each column is where so much room is; nil for any.
    func fitted(to room: Int?) -> [Int] {
        var widths = columns.indices.map { column in
            rows.reduce(Printable.width(columns[column].title)) { max($0, $1[column].width) }
        }
        guard let room else { return widths }
        while widths.reduce(0, +) + Table.gap * (widths.count - 1) > room {
            let candidates = widths.indices.filter { columns[$0].fit != .whole && widths[$0] > Table.narrowest }
            let order = { (column: Int) in (columns[column].fit.rawValue, widths[column]) }
            if let widest = candidates.max(by: { order($0) < order($1) }) {
                widths[widest] -= 1
            } else if widths.count > 1 {
                widths.removeLast()
            } else {
                widths[0] = max(1, room)
                break
            }
        }
        return widths
    }

    private func append(_ cells: [Cell], _ widths: [Int], _ style: Style, to out: inout [UInt8]) {
        if style.isTabbed {
            // No text has a tab in it: what steers a terminal is a space by now.
            return out.append(contentsOf: cells.map(\.text).joined(separator: "\t").utf8)
        }
        let start = out.count
        for (index, width) in widths.enumerated() {
            let cell = cells[index].width > width ? cells[index].cut(to: width) : cells[index]
            let padding = repeatElement(UInt8(ascii: " "), count: max(0, width - cell.width))
            let isLast = index == widths.count - 1
            if columns[index].isNumber { out.append(contentsOf: padding) }
            out.append(contentsOf: style.paint(cell.text, cell.ink).utf8)
            if !columns[index].isNumber { out.append(contentsOf: padding) }
            if !isLast { out.append(contentsOf: repeatElement(UInt8(ascii: " "), count: Table.gap)) }
        }
        while out.count > start, out.last == UInt8(ascii: " ") { out.removeLast() }
    }
}
