internal import ControlAPI
internal import PluginKit

/// A search that follows what somebody types: decides what is asked for and when, and says what changes in what is shown.
struct LiveSearch: Sendable {
    enum Input: Sendable {
        case begun
        case typed(String)
        case cancelled
        /// What was typed in this turn has stood long enough.
        case due(turn: Int)
        case answered(turn: Int, Result<[CatalogRowReply], ControlError>)
    }

    enum Effect: Hashable, Sendable {
        /// Say ``Input/due(turn:)`` when the text has stood long enough.
        case pause(turn: Int)
        case ask(turn: Int, CatalogQuery.Subject, anew: Bool)
        /// Nobody waits for what was asked for last.
        case abandon
        case show(CatalogLiveReply)
    }

    let id: String
    /// What is shown where nothing is typed; nil for nothing.
    let home: String?
    private var turn = 0
    private var typed = ""
    /// The turn and the text that an answer is awaited for.
    private var asked: (turn: Int, query: String)?
    private var rows: [CatalogRowReply] = []
    private var step = 0

    init(id: String, home: String?) {
        self.id = id
        self.home = home
    }

    mutating func take(_ input: Input) -> [Effect] {
        switch input {
        case .begun: return showHome(anew: false)
        case .cancelled: return overtake() + showHome(anew: true)
        case .typed(let text):
            let text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if text.isEmpty { return overtake() + showHome(anew: false) }
            if text == typed { return [] }
            let overtaken = overtake()
            turn += 1
            typed = text
            return overtaken + [.pause(turn: turn)]
        case .due(let due):
            guard due == turn, asked == nil else { return [] }
            asked = (turn, typed)
            return [.ask(turn: turn, .search(typed), anew: false)]
        case .answered(let turn, let answer):
            guard let query = asked?.query, asked?.turn == turn else { return [] }
            asked = nil
            switch answer {
            case .success(let rows): return [show(.shown, query, differences(to: rows))]
            case .failure(let error): return [show(.failed, query, [], error.message)]
            }
        }
    }

    private mutating func showHome(anew: Bool) -> [Effect] {
        turn += 1
        typed = ""
        guard let home else { return [show(.shown, "", differences(to: []))] }
        asked = (turn, "")
        return [.ask(turn: turn, .list(home), anew: anew)]
    }

    /// What was asked for is not wanted any more.
    private mutating func overtake() -> [Effect] {
        guard let query = asked?.query else { return [] }
        asked = nil
        return [.abandon, show(.superseded, query, [])]
    }

    private mutating func show(
        _ state: CatalogLiveReply.State, _ query: String, _ changes: [CatalogLiveReply.Change], _ reason: String? = nil
    ) -> Effect {
        step += 1
        return .show(
            CatalogLiveReply(
                search: id, step: step, state: state, query: query, changes: changes, count: rows.count,
                reason: reason))
    }

    /// What goes away, the last first, and then what comes in, the first first.
    private mutating func differences(to new: [CatalogRowReply]) -> [CatalogLiveReply.Change] {
        let difference = new.difference(from: rows) {
            $0.key == $1.key && $0.fields == $1.fields && $0.record == $1.record
        }
        rows = new
        return difference.map { change in
            switch change {
            case .remove(let at, _, _): CatalogLiveReply.Change(at: at, insert: nil)
            case .insert(let at, let row, _): CatalogLiveReply.Change(at: at, insert: row)
            }
        }
    }
}
