internal import ControlAPI

/// What surrounds the parts of every page.
struct Frame: Sendable {
    let templates: Templates
    let status: @Sendable () async -> StatusSnapshot
    let wall: @Sendable () -> UInt64

    /// The whole page, as a browser gets it.
    ///
    /// - Parameters:
    ///   - sequence: the last change that was there before anything of the page was read.
    ///   - notice: what the request before it has led to.
    func whole(_ page: WebPage, sequence: Int64, notice: String? = nil) async -> String {
        let parts: [Model] = page.parts.map { part in
            [
                "id": .text(part.id), "listens": .maybe(names(part.listens)),
                "content": .markup(templates.render(part.template, part.model)),
            ]
        }
        return templates.render(
            .page,
            [
                "title": .text(page.title), "seq": .text("\(sequence)"), "signedIn": true,
                "pages": .list(
                    WebPage.navigation.map {
                        ["path": .text($0.path), "name": .text($0.name), "isHere": .flag($0.path == page.place)]
                    }), "line": .markup(await line()), "notice": .maybe(notice), "parts": .list(parts),
                "heading": .markup(heading(page)), "headingListens": .maybe(names(page.listens)),
            ])
    }

    /// A page for who is not signed in: it knows nothing of the daemon.
    func outside(_ page: WebPage) -> String {
        templates.render(
            .page,
            [
                "title": .text(page.title), "seq": "0", "signedIn": false, "notice": false,
                "heading": .markup(heading(page)), "headingListens": false,
                "parts": .list(
                    page.parts.map {
                        [
                            "id": .text($0.id), "listens": false,
                            "content": .markup(templates.render($0.template, $0.model)),
                        ]
                    }),
            ])
    }

    /// One part of a page as it is now; nil where the page has none of that name.
    func part(_ id: String, of page: WebPage) async -> String? {
        if id == Frame.line { return await line() }
        if id == Frame.title { return heading(page) }
        return page.parts.first { $0.id == id }.map { templates.render($0.template, $0.model) }
    }

    /// The parts that every page has: how the daemon is, and its title.
    static let (line, title) = ("line", "title")

    private func heading(_ page: WebPage) -> String { templates.render(.heading, ["title": .text(page.title)]) }

    private func line() async -> String {
        let status = await status()
        let now = Moment(milliseconds: wall())
        return templates.render(
            .line,
            [
                "level": .text((status.health?.level ?? .ok).rawValue),
                "text": .text(StatusLine(status, now: now).description),
            ])
    }

    private func names(_ sections: [LiveRoom.Section]) -> String? {
        sections.isEmpty ? nil : sections.map(\.rawValue).joined(separator: " ")
    }
}
