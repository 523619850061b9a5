/// Where the columns of a table are on a terminal: in the row, as wide as there is room, or below it.
///
/// What matters least leaves the row first. What is below a row and finds no room there either is left out, the least
/// important first.
struct TableLayout {
    /// The columns in the row, in their order, and how wide they are.
    private let inRow: [(column: Int, width: Int)]
    /// Those below it, in their order.
    private let below: [Int]
    private let room: Int?

    private static let gap = 2
    private static let indent = 4
    /// How narrow a column becomes, and one without which nobody knows what a row is about, while others can still leave.
    private static let (narrowest, narrowestOfMost) = (8, 20)

    /// - Parameter room: how many columns of a terminal there are; nil for any.
    init(of table: Table, room: Int?) {
        let columns = table.columns
        let natural = columns.indices.map { column in
            table.rows.reduce(Printable.width(columns[column].title)) { max($0, $1[column].width) }
        }
        var kept = Array(columns.indices)
        var widths = natural
        if let room {
            widths = TableLayout.shrunk(natural, kept, columns, to: room)
            while !TableLayout.fits(widths, kept, room), let last = TableLayout.leastOf(kept, columns) {
                kept.removeAll { $0 == last }
                widths = TableLayout.shrunk(natural, kept, columns, to: room)
            }
            TableLayout.squeeze(&widths, &kept, columns, to: room)
        }
        self.room = room
        inRow = kept.map { ($0, widths[$0]) }
        below = columns.indices.filter { !kept.contains($0) }
    }

    private static func fits(_ widths: [Int], _ kept: [Int], _ room: Int) -> Bool {
        kept.reduce(gap * (kept.count - 1)) { $0 + widths[$1] } <= room
    }

    /// The widths where what may be cut is cut, as far as columns stay readable.
    private static func shrunk(_ natural: [Int], _ kept: [Int], _ columns: [Table.Column], to room: Int) -> [Int] {
        var widths = natural
        while !fits(widths, kept, room) {
            let candidates = kept.filter { column in
                let floor = columns[column].weight == .most ? narrowestOfMost : narrowest
                return columns[column].fit != .whole && widths[column] > floor
            }
            let order = { (column: Int) in (columns[column].fit.rawValue, widths[column]) }
            guard let widest = candidates.max(by: { order($0) < order($1) }) else { break }
            widths[widest] -= 1
        }
        return widths
    }

    /// What leaves the row next: the last one of those that matter least.
    private static func leastOf(_ kept: [Int], _ columns: [Table.Column]) -> Int? {
        let candidates = kept.filter { columns[$0].weight != .most }
        guard kept.count > 1 else { return nil }
        return candidates.min { (columns[$0].weight.rawValue, $1) < (columns[$1].weight.rawValue, $0) }
    }

    /// Makes what has to stay fit after all, however narrow the terminal is.
    private static func squeeze(_ widths: inout [Int], _ kept: inout [Int], _ columns: [Table.Column], to room: Int) {
        while !fits(widths, kept, room) {
            let candidates = kept.filter { columns[$0].fit != .whole && widths[$0] > narrowest }
            if let widest = candidates.max(by: { widths[$0] < widths[$1] }) {
                widths[widest] -= 1
            } else if kept.count > 1 {
                kept.removeLast()
            } else {
                widths[kept[0]] = max(1, room)
                break
            }
        }
    }

    /// The lines of rows.
    ///
    /// - Parameter leftOut: gains the columns of which something found no room.
    func lines(
        _ rows: [[Table.Cell]], _ columns: [Table.Column], _ style: Style, _ leftOut: inout Set<Int>
    ) -> [String] {
        var lines: [String] = []
        for row in rows {
            lines.append(line(row, columns, style))
            if !style.isTabbed, let second = lineBelow(row, columns, style, &leftOut) { lines.append(second) }
        }
        return lines
    }

    /// A row, or the heading.
    func line(_ cells: [Table.Cell], _ columns: [Table.Column], _ style: Style) -> String {
        // No text has a tab in it: what steers a terminal is a space by now.
        if style.isTabbed { return cells.map(\.text).joined(separator: "\t") }
        var out: [UInt8] = []
        for (index, place) in inRow.enumerated() {
            let (column, width) = place
            let cell = cells[column].width > width ? cells[column].cut(to: width) : cells[column]
            let padding = repeatElement(UInt8(ascii: " "), count: max(0, width - cell.width))
            if columns[column].isNumber { out.append(contentsOf: padding) }
            out.append(contentsOf: style.paint(cell.text, cell.ink).utf8)
            if !columns[column].isNumber { out.append(contentsOf: padding) }
            if index < inRow.count - 1 {
                out.append(contentsOf: repeatElement(UInt8(ascii: " "), count: TableLayout.gap))
            }
        }
        while out.last == UInt8(ascii: " ") { out.removeLast() }
        return String(decoding: out, as: UTF8.self)
    }

    /// What of a row stands below it: each value with the name of its column.
    private func lineBelow(
        _ cells: [Table.Cell], _ columns: [Table.Column], _ style: Style, _ leftOut: inout Set<Int>
    ) -> String? {
        guard let room else { return nil }
        let names = columns.map { $0.title.isEmpty ? "" : String($0.title.trimmingPrefix { $0 == " " }) + " " }
        var left = room - TableLayout.indent
        var shown: [(column: Int, text: String, ink: Style.Ink?)] = []
        let wanted = below.filter { !cells[$0].text.isEmpty }
        for column in wanted.sorted(by: { (columns[$1].weight.rawValue, $0) < (columns[$0].weight.rawValue, $1) }) {
            let name = names[column]
            let most = left - Printable.width(name)
            let isEnough = cells[column].width <= most || columns[column].fit != .whole && most >= TableLayout.narrowest
            guard isEnough else {
                leftOut.insert(column)
                continue
            }
            let text = name + Printable.cut(cells[column].text, to: most)
            shown.append((column, text, cells[column].ink ?? .faint))
            left -= Printable.width(text) + TableLayout.gap
        }
        guard !shown.isEmpty else { return nil }
        let gap = String(repeating: " ", count: TableLayout.gap)
        return String(repeating: " ", count: TableLayout.indent)
            + shown.sorted { $0.column < $1.column }.map { style.paint($0.text, $0.ink) }.joined(separator: gap)
    }

    /// What the columns are called of which something found no room; nil where there is none.
    func note(_ leftOut: Set<Int>, _ columns: [Table.Column], _ style: Style) -> String? {
        guard !leftOut.isEmpty, let room else { return nil }
        let names = leftOut.sorted().map { columns[$0].title }.filter { !$0.isEmpty }.joined(separator: ", ")
        return style.paint(Printable.cut("no room for: \(names.isEmpty ? "all" : names)", to: max(1, room)), .faint)
    }
}
