internal import ControlAPI

/// A link that lets a browser into the web page.
struct WebAnswer: Answer {
    var reply: WebLinkReply

    func text(_ style: Style) -> String { reply.url }
}
