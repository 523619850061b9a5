internal import ControlAPI
internal import Hummingbird

extension Endpoint {
    /// A way into the web page, for those who may do what can be done there.
    static func opening(_ web: any WebService) -> [Endpoint] {
        [
            Endpoint(.post, ControlRoute.webLinks, words: ["open"]) { request, context in
                try .reply(try web.link(opening: try RequestArguments(request, context).flag("open")))
            }
        ]
    }
}
