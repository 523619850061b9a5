internal import ControlAPI
internal import SyncModel

/// Several lists, one below the other.
struct CatalogHomeAnswer: Answer {
    var reply: CatalogHomeReply
    var schemas: [String: CollectionSchema]

    func text(_ style: Style) -> String {
        guard !reply.sections.isEmpty else { return "no catalog with lists can be asked; see moviesync catalog" }
        var parts = reply.sections.map { section in
            let heading = style.paint(Printable.text("\(section.catalog) \(section.list)"), .strong)
            guard let set = section.set, let schema = schemas[set.collection] else {
                return heading + "\n" + Printable.text(section.reason ?? "not available")
            }
            let rows = set.rows.prefix(10).map { row -> String in
                let title = Formatted.value(row.fields[schema.titleField])
                let year = row.fields["year"].map { " (\(Formatted.value($0)))" } ?? ""
                return Printable.text("\(row.marks.isEmpty ? " " : row.marks) \(title)\(year)")
            }
            return ([heading] + rows).joined(separator: "\n")
        }
        var seen: Set<String> = []
        let owed = reply.sections.compactMap { $0.set?.attribution }.filter { seen.insert($0).inserted }
        if !owed.isEmpty { parts.append(owed.map(Printable.text).joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }
}
