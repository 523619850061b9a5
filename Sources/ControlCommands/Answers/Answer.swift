internal import ControlAPI

/// What a command says: one form for people, one for programs.
protocol Answer {
    associatedtype Reply: Encodable

    /// What `--json` shows.
    var reply: Reply { get }

    /// What people see; lines without a line end after the last one.
    func text(_ style: Style) -> String
}

/// A list as the daemon has it; as text it has none.
struct PageAnswer<Item: Codable & Hashable & Sendable>: Answer {
    var reply: Page<Item>

    func text(_ style: Style) -> String { "" }
}
