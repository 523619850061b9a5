internal import ControlAPI
internal import SyncModel

/// Numbered rows of a search or a list.
struct CatalogSetAnswer: Answer {
    var reply: CatalogSetReply
    var schema: CollectionSchema
    /// Whether only some rows of the set were wanted.
    var isFiltered = false

    func text(_ style: Style) -> String {
        guard !reply.rows.isEmpty else {
            let what = reply.held == 0 ? "nothing found" : isFiltered ? "no row has this" : "nothing more"
            return ([what] + remarks(hasMore: reply.more)).joined(separator: "\n")
        }
        return ([table.text(style)] + remarks(hasMore: reply.more)).joined(separator: "\n")
    }

    private var table: Table {
        var table = Table(
            [
                .init("#", number: true, .whole, .most), .init("", .whole, .most),
                .init(schema.titleField, .cutLast, .most),
            ]
                + fields.map { .init($0, .cutFirst) } + (isReviewed ? [.init("reviews")] : []))
        for row in reply.rows {
            table.add(
                [
                    .init(String(row.number)), .init(row.marks, .good),
                    .init(Formatted.value(row.fields[schema.titleField]), .strong),
                ]
                    + fields.map { field in
                        .init(Missing.text(field, in: row.fields), row.fields[field] == nil ? .faint : nil)
                    } + (isReviewed ? [.init(row.reviews?.words ?? "")] : []))
        }
        return table
    }

    private var isReviewed: Bool { reply.rows.contains { $0.reviews != nil } }

    /// The columns of the collection that a source can know, and what some row has of the usual ones.
    private var fields: [String] {
        let columns = schema.columns.filter { $0 != schema.titleField && schema.defaults[$0] == nil }
        let usual = ["originalTitle", "overview"].filter { name in reply.rows.contains { $0.fields[name] != nil } }
        return columns + usual.filter { !columns.contains($0) }
    }

    /// What there is to say below the table.
    func remarks(hasMore: Bool) -> [String] {
        var lines: [String] = []
        var counts = Formatted.count(reply.held) + (reply.total.map { " of \(Formatted.count($0))" } ?? "") + " found"
        if reply.rows.contains(where: { $0.record != nil }) { counts += "; * is in the library" }
        if reply.rows.contains(where: { $0.favourite == true }) { counts += "; ♥ is a favourite" }
        if reply.held > 0 { lines.append(counts) }
        if reply.duplicatesDropped > 0 {
            lines.append("\(Formatted.count(reply.duplicatesDropped, "row")) came twice and \(shown) once")
        }
        if reply.skipped > 0 {
            lines.append("\(Formatted.count(reply.skipped, "row")) of the source could not be read")
        }
        if reply.truncated { lines.append("there are more of them than are given out") }
        if reply.stale { lines.append("the source can't be asked now: this is what it said before") }
        if hasMore { lines.append("moviesync search --more shows the next page") }
        if let attribution = reply.attribution { lines.append(Printable.text(attribution)) }
        return lines
    }

    private var shown: String { reply.duplicatesDropped == 1 ? "is shown" : "are shown" }
}

extension CatalogRowReply {
    /// What is known of it here, for people.
    var marks: String { (record == nil ? "" : "*") + (favourite == true ? "♥" : "") }
}
