internal import ControlAPI

/// The nodes that share the remote.
struct NodesAnswer: Answer {
    var nodes: [NodeReply]
    var now: Moment

    var reply: Page<NodeReply> { Page(items: nodes) }

    func text(_ style: Style) -> String {
        let names = Set(nodes.flatMap(\.collections.keys)).sorted()
        var table = Table(
            [
                .init("name", .cutLast, .most), .init("node", .whole, .much), .init("version", .cutFirst, .little),
                .init("last seen"),
            ]
                + names.map { .init("\($0) behind", number: true) })
        for node in nodes {
            table.add(
                [
                    .init(node.isThis ? "\(node.name) (this)" : node.name, node.isThis ? .strong : nil), .init(node.id),
                    .init(node.version), .init(node.lastSeenAt.map { Formatted.ago($0, now: now) } ?? "never"),
                ] + names.map { behind(node.collections[$0]) })
        }
        return ([table.text(style)] + names.compactMap { remark($0, style) }).joined(separator: "\n")
    }

    /// Who declares a collection otherwise than the node that answers; nil where nobody does.
    private func remark(_ name: String, _ style: Style) -> String? {
        let others = nodes.filter { $0.collections[name]?.isDeclaredOtherwise == true }
        guard !others.isEmpty else { return nil }
        let words = others.map { "\(Printable.text($0.name)) (\($0.id))" }.joined(separator: ", ")
        return style.paint(
            "\(name) is declared otherwise by \(words): give all nodes the same collections.d/\(name).json", .warning)
    }

    private func behind(_ progress: NodeReply.Progress?) -> Table.Cell {
        guard let progress else { return .init("-", .faint) }
        guard let seconds = progress.behindSeconds else { return .init("all", .warning) }
        return seconds < 1 ? .init("0 s") : .init(Formatted.span(seconds: seconds), .warning)
    }
}
