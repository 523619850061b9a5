/// What a command says: one form for people, one for programs.
protocol Answer {
    associatedtype Reply: Encodable

    /// What `--json` shows.
    var reply: Reply { get }

    /// What people see; lines without a line end after the last one.
    func text(_ style: Style) -> String
}
