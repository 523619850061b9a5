internal import ControlAPI
internal import SyncModel

/// All that a catalog knows of one item.
struct CatalogItemAnswer: Answer {
    var reply: CatalogItemReply
    var schema: CollectionSchema
    /// How many pictures are shown.
    var images: Int
    /// How wide they have to be at least.
    var width: Int

    func text(_ style: Style) -> String {
        let expected =
            schema.columns.filter { schema.defaults[$0] == nil }
            + (schema.name == CollectionName.default.id.name ? ["overview"] : [])
        let names = schema.inOrder(Set(reply.fields.keys).union(expected))
        var rows = names.map { ($0, Missing.text($0, in: reply.fields)) }
        rows.append(
            ("ids", reply.ids.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: "  ")))
        rows.append(("library", reply.record ?? "not in it"))
        for (number, image) in reply.images.prefix(images).enumerated() {
            rows.append(("picture \(number + 1)", "\(image.kind)  \(image.url(width: width))"))
        }
        if reply.images.count < images {
            let count = reply.images.isEmpty ? "none" : "only \(reply.images.count)"
            rows.append(("pictures", "\(count) in the database"))
        }
        let column = rows.map { Printable.width($0.0) }.max() ?? 0
        var lines = rows.map { name, value in
            style.paint(Printable.text(name), .strong)
                + String(repeating: " ", count: column - Printable.width(name) + 2) + Printable.text(value)
        }
        if reply.stale { lines.append("the source can't be asked now: this is what it said before") }
        if let attribution = reply.attribution { lines.append(Printable.text(attribution)) }
        return lines.joined(separator: "\n")
    }

    static func collection(of reply: CatalogItemReply) -> CollectionName { collection(named: reply.collection) }

    static func collection(named name: String) -> CollectionName { CollectionName(argument: name) ?? .default }
}
