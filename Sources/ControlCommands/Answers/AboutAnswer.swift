/// What this program is, and whose data it shows.
struct AboutAnswer: Answer {
    struct Reply: Encodable {
        var version: String
        var licence: String
        /// By the name of the catalog.
        var attributions: [String: String]
    }

    var reply: Reply

    func text(_ style: Style) -> String {
        let lines = [
            "moviesync \(reply.version), \(reply.licence)", "simdjson is compiled in, Apache License 2.0",
        ]
        return (lines + reply.attributions.sorted { $0.key < $1.key }.map(\.value)).joined(separator: "\n")
    }
}
