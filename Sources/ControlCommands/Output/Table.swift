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

    /// What becomes of a column where there is no room for all.
    enum Weight: Int {
        /// Goes first: below the row, where there is room, or away.
        case little
        case some
        /// Goes after all others.
        case much
        /// Stays in the row: without it nobody knows what the row is about.
        case most
    }

    struct Column {
        var title: String
        var isNumber: Bool
        var fit: Fit
        var weight: Weight

        init(_ title: String, number: Bool = false, _ fit: Fit = .whole, _ weight: Weight = .some) {
            self.title = title
            isNumber = number
            self.fit = fit
            self.weight = weight
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

    /// The lines of the table, and what found no room in it.
    func text(_ style: Style) -> String {
        let layout = TableLayout(of: self, room: style.width)
        var leftOut: Set<Int> = []
        let heading = columns.map { Cell($0.title, .strong) }
        var parts = [layout.line(heading, columns, style)]
        parts.append(contentsOf: layout.lines(rows, columns, style, &leftOut))
        if let note = layout.note(leftOut, columns, style) { parts.append(note) }
        return parts.joined(separator: "\n")
    }
}
