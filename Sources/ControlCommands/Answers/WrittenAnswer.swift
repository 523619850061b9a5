/// That a file was written.
struct WrittenAnswer: Answer {
    struct Reply: Codable {
        var file: String
        var bytes: Int
    }

    var reply: Reply
    /// What people are told; empty where the file itself is the answer.
    private let line: String

    init(_ file: String, bytes: Int, line: String = "") {
        reply = Reply(file: file, bytes: bytes)
        self.line = line
    }

    func text(_ style: Style) -> String { line }
}
