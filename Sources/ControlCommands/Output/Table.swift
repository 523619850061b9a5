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
        var text: String
        var ink: Style.Ink?

        /// `text` is made fit for a terminal.
        init(_ text: String, _ ink: Style.Ink? = nil) {
            self.text = Printable.text(text)
            self.ink = ink
        }
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
        rows.map { line($0, widths, style) }.joined(separator: "\n")
    }

    private static let gap = 2
    private static let narrowest = 8

    /// How wide each column is where so much room is; nil for any.
    func fitted(to room: Int?) -> [Int] {
        var widths = columns.indices.map { column in
            rows.reduce(Printable.width(columns[column].title)) { max($0, Printable.width($1[column].text)) }
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

    private func line(_ cells: [Cell], _ widths: [Int], _ style: Style) -> String {
        var line = ""
        for (index, width) in widths.enumerated() {
            let text = Printable.cut(cells[index].text, to: width)
            let padding = String(repeating: " ", count: max(0, width - Printable.width(text)))
            let painted = style.paint(text, cells[index].ink)
            let isLast = index == widths.count - 1
            line += columns[index].isNumber ? padding + painted : painted + (isLast ? "" : padding)
            if !isLast { line += String(repeating: " ", count: Table.gap) }
        }
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}
