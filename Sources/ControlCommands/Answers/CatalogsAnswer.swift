internal import ControlAPI

/// All catalogs and how they are.
struct CatalogsAnswer: Answer {
    var catalogs: [CatalogReply]
    var now: Moment

    var reply: Page<CatalogReply> { Page(items: catalogs) }

    func text(_ style: Style) -> String {
        guard !catalogs.isEmpty else { return "there is no catalog" }
        var table = Table([
            .init("catalog", .whole, .most), .init("state", .whole, .most), .init("collection"),
            .init("lists", .cutFirst),
            .init("requests", number: true), .init("failed", number: true), .init("cached", number: true),
        ])
        for catalog in catalogs {
            table.add([
                .init(catalog.name, .strong), .init(catalog.state.rawValue, CatalogsAnswer.ink(of: catalog.state)),
                .init(catalog.collection), .init(catalog.lists.joined(separator: ", ")),
                .init(Formatted.count(catalog.requests)),
                .init(Formatted.count(catalog.failures), catalog.failures > 0 ? .warning : nil),
                .init(Formatted.count(catalog.cacheHits)),
            ])
        }
        return ([table.text(style)] + catalogs.compactMap(remark)).joined(separator: "\n")
    }

    private func remark(_ catalog: CatalogReply) -> String? {
        var parts = [catalog.reason].compactMap(\.self)
        if let until = catalog.until { parts.append("asked again \(Formatted.ago(until, now: now))") }
        return parts.isEmpty ? nil : Printable.text("\(catalog.name): \(parts.joined(separator: "; "))")
    }

    private static func ink(of state: CatalogReply.State) -> Style.Ink {
        switch state {
        case .ok: .good
        case .limited, .noKey: .warning
        case .down, .unauthorized: .bad
        }
    }
}
