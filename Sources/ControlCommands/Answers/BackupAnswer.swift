/// Where a copy of the state is.
struct BackupAnswer: Answer {
    struct Reply: Codable {
        var file: String
        var bytes: Int
    }

    var reply: Reply
    var line: String

    func text(_ style: Style) -> String { line }
}
