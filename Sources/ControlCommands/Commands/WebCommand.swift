internal import ArgumentParser
internal import ControlAPI
internal import Subprocess

struct WebCommand: ControlCommand {
    static let configuration = CommandConfiguration(
        commandName: "web", abstract: "Print a link that lets a browser into the daemon's web page, once.",
        discussion: """
            The page is served where the configuration has web.listen; with --open somewhere on this machine until the \
            daemon ends, where it has none. A link is good for a minute; the browser that it \
            is opened in stays signed in for 30 days. Only root and the daemon's own user may ask for one.
            """
    )

    @Flag(help: "Open the page where it is off, and the link in the browser of this desktop.")
    var open = false

    @OptionGroup var common: CommonOptions

    func perform(_ session: Session) async throws {
        let reply: WebLinkReply = try await session.client.post(
            ControlRoute.webLinks, open ? ["open": "true"] : [:])
        try session.output.show(WebAnswer(reply: reply))
        guard open else { return }
        let result = try? await Subprocess.run(
            .name("xdg-open"), arguments: [reply.url], input: .none, output: .discarded, error: .discarded)
        if result?.terminationStatus.isSuccess != true {
            Output.note("no browser could be opened from here (xdg-open): open the link yourself")
        }
    }
}
