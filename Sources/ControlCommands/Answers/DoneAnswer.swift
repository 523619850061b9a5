internal import ControlAPI

/// That something was done.
struct DoneAnswer: Answer {
    var reply: DoneReply
    private let message: String

    init(_ message: String, reply: DoneReply) {
        self.message = message
        self.reply = reply
    }

    func text(_ style: Style) -> String { message }
}
