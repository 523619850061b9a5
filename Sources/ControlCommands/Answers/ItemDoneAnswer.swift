internal import ControlAPI

/// That something was done about one item of several.
struct ItemDoneAnswer: Answer {
    struct Reply: Encodable {
        var done: Bool
        /// The item's number.
        var id: Int64
        /// Why it is still there, as a word and as a line for people.
        var code: String?
        var reason: String?
    }

    var reply: Reply
    private let message: String

    init(_ message: String, _ id: Int64, _ reply: DoneReply) {
        self.message = message
        self.reply = Reply(done: reply.done, id: id)
    }

    /// It was tried, and stays.
    init(staying item: QuarantineReply) {
        message = "item \(item.id) stays: \(item.code): \(item.reason)"
        reply = Reply(done: false, id: item.id, code: item.code, reason: item.reason)
    }

    func text(_ style: Style) -> String { message }
}
