/// The id of an edited record.
struct AppendedAnswer: Answer {
    struct Reply: Encodable {
        var id: String
        var opID: String
    }

    var reply: Reply

    func text(_ style: Style) -> String { reply.id }
}
