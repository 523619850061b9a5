internal import ControlAPI
internal import NIOPosix
internal import SyncModel
internal import Synchronization

/// A search that follows the lines of standard input, until those end and the last one is answered.
struct LiveSession: Sendable {
    private struct State: Sendable {
        var rows: [CatalogRowReply] = []
        /// What was typed last, as the daemon spells it.
        var typed = ""
        /// What was answered since then.
        var answered: String?
        var isOver = false

        var isDone: Bool { isOver && answered == typed }
    }

    /// What is shown, known to the reader of steps and to the one of lines.
    private final class Screen: Sendable {
        let state = Mutex(State())
    }

    let session: Session
    let catalog: String

    func run() async throws {
        let screen = Screen()
        let schemas = await session.shownSchemas()
        let (begun, begin) = AsyncStream<String>.makeStream()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await session.client.events("\(ControlRoute.catalogs)/\(catalog)/live") {
                    (step: CatalogLiveReply) in
                    begin.yield(step.search)
                    try show(step, screen, schemas)
                    if screen.state.withLock({ $0.isDone }) { throw CancellationError() }
                }
                throw CommandFailure(.notRunning, "the daemon has ended the search; try again")
            }
            group.addTask {
                for await search in begun {
                    try await type(into: search, screen)
                    return
                }
            }
            defer { group.cancelAll() }
            do {
                try await group.next()
                if screen.state.withLock({ $0.isOver }) { try await group.next() }
            } catch is CancellationError {}
        }
    }

    /// Sends each line, and notes when there are no more.
    private func type(into search: String, _ screen: Screen) async throws {
        let input = LineInput()
        while let line = try await input.next() {
            let text = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            screen.state.withLock { state in
                state.typed = text
                state.answered = nil
            }
            let order = text.isEmpty ? CatalogLiveOrder(cancel: true) : CatalogLiveOrder(query: text)
            let _: DoneReply = try await session.client.post(
                "\(ControlRoute.catalogs)/live/\(search)", body: order, wait: .zero)
        }
        let isDone = screen.state.withLock { state in
            state.isOver = true
            return state.isDone
        }
        if isDone { throw CancellationError() }
    }

    private func show(
        _ step: CatalogLiveReply, _ screen: Screen, _ schemas: [String: CollectionSchema]
    ) throws {
        let rows = screen.state.withLock { state in
            if step.state != .superseded { state.answered = step.query }
            for change in step.changes {
                if let row = change.insert {
                    state.rows.insert(row, at: min(change.at, state.rows.count))
                } else if change.at < state.rows.count {
                    state.rows.remove(at: change.at)
                }
            }
            return state.rows
        }
        guard !session.output.json else { return try session.output.show(LiveStepAnswer(reply: step)) }
        guard step.state != .superseded else { return }
        try session.output.clear()
        let titles = rows.enumerated().map { index, row in
            let title = schemas.values.lazy.compactMap { row.fields[$0.titleField]?.text }.first ?? row.key
            return Printable.text("\(index + 1)  \(row.record == nil ? " " : "*") \(title)")
        }
        let heading = step.query.isEmpty ? "at first" : step.query
        let reason = step.reason.map { [Printable.text($0)] } ?? []
        try session.output.write(
            text: ([session.output.style.paint(Printable.text(heading), .strong)] + reason + titles)
                .joined(separator: "\n"))
    }
}

/// One step, for programs.
private struct LiveStepAnswer: Answer {
    var reply: CatalogLiveReply

    func text(_ style: Style) -> String { "" }
}
