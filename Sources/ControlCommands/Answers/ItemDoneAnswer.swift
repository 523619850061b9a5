internal import ControlAPI

/// That something was done about one item of several.
struct ItemDoneAnswer: Answer {
    struct Reply: Encodable {
        var done: Bool
        /// The item's number.
        var id: Int64
    }

    var reply: Reply
    private let message: String

    init(_ message: String, _ id: Int64, _ reply: DoneReply) {
        self.message = message
        self.reply = Reply(done: reply.done, id: id)
    }

    func text(_ style: Style) -> String { message }
}
